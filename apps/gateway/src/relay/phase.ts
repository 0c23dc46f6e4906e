/** The event for which a visitor's connection waits. Each phase has a deadline. */
export type Phase =
  | 'idle' // a request's head
  | 'looking' // a second read of the route
  | 'queued' // a free connection to the agent
  | 'connecting'
  | 'sending' // the rest of the request's body
  | 'waiting' // the agent's response
  | 'answering' // more of the response
  | 'writing' // the visitor, to read the response
  | 'deciding' // a tap's decision about a body that it holds
  | 'discarding' // the rest of a request that has been answered
  | 'spliced' // either side of a WebSocket
  | 'closing' // the visitor, to close its side as well
  | 'gone';
