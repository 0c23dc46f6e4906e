/** The event that a visitor's connection waits for. Each phase has a deadline. */
export type Phase =
  | 'idle' // a request's head
  | 'looking' // the route, which is being reread
  | 'queued' // a free connection to the agent
  | 'connecting'
  | 'sending' // the rest of the request's body
  | 'waiting' // the agent's response
  | 'answering' // more of the response
  | 'writing' // the visitor to read it
  | 'deciding' // a tap's decision about a body that it holds
  | 'discarding' // the rest of a request that was answered already
  | 'spliced' // either side of a WebSocket
  | 'closing' // the visitor to close its side as well
  | 'gone';
