/** What one agent may send, and all agents of a node together. Beyond it sendings are refused, and counted. */
export const receiverLimits = {
  /** Bytes of one body as it comes, and unpacked. */
  bodyBytes: 4 * 1024 ** 2,
  unpackedBytes: 8 * 1024 ** 2,
  /** Bodies under way, of one deployment and in all; teams share the latter. */
  sendings: 4,
  allSendings: 16,
  /** Bodies that are read and stored at a time: what they become takes many times their bytes. */
  atWork: 2,
  /** Of one deployment, in each minute: bytes as they come and unpacked, also of sendings that are refused. Then nothing more of it is read. */
  bytesAMinute: 32 * 1024 ** 2,
  spansAMinute: 6_000,
  /** Different models of one deployment in each hour; what is beyond counts as one. */
  models: 50,
  /** Time of the thread in which one sending is searched for personal data; what is left by then is not stored. */
  scanMs: 500,
  /** What people and models said, where a project keeps it: of one attribute, and of a span. */
  contentBytes: 16 * 1024,
  contentOfSpanBytes: 64 * 1024,
  connections: 2_000,
  /** From one sandbox. */
  connectionsOfOne: 64,
  /** Before an answer to who sends too much, or with a wrong credential: it does not come again sooner. */
  pauseMs: 1_000,
  headBytes: 8 * 1024,
  requestMs: 10_000,
  /** Deployments whose share is remembered. */
  deployments: 10_000,
} as const;
export type ReceiverLimits = { [name in keyof typeof receiverLimits]: number };
