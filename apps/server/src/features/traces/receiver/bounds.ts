/** What one agent may send, and all agents of a node together. Beyond it sendings are refused, and counted. */
export const receiverBounds = {
  /** Bytes of one body as it comes, and unpacked. */
  bodyBytes: 4 * 1024 ** 2,
  unpackedBytes: 8 * 1024 ** 2,
  /** Bodies under way, of one deployment and in all. */
  sendings: 4,
  allSendings: 16,
  /** Of one deployment, in each minute. */
  unpackedBytesAMinute: 24 * 1024 ** 2,
  spansAMinute: 6_000,
  /** Different models of one deployment in each hour; what is beyond counts as one. */
  models: 50,
  connections: 2_000,
  headBytes: 8 * 1024,
  requestMs: 10_000,
  /** Deployments whose share is remembered. */
  deployments: 10_000,
} as const;
export type ReceiverBounds = { [name in keyof typeof receiverBounds]: number };
