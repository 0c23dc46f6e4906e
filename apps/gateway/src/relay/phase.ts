/** What a connection of a visitor waits for. Each has a deadline. */
export type Phase =
  | 'idle' // a request's head
  | 'looking' // the route, read once more
  | 'queued' // a free connection to the agent
  | 'connecting'
  | 'sending' // the rest of the request's body
  | 'waiting' // the agent's answer
  | 'answering' // more of it
  | 'writing' // the visitor, to take it
  | 'deciding' // a tap, about a body that it holds
  | 'discarding' // the rest of a request that was answered already
  | 'spliced' // either side of a WebSocket
  | 'closing' // the visitor, to close its side as well
  | 'gone';
