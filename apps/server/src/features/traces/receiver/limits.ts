/** Limits of one agent, and of all agents of a node together. Requests beyond them are refused, and counted. */
export const receiverLimits = {
  /** Bytes of one body as received, and unpacked. */
  bodyBytes: 4 * 1024 ** 2,
  unpackedBytes: 8 * 1024 ** 2,
  /** Bodies in progress, of one deployment and in total; teams share the latter. */
  sendings: 4,
  allSendings: 16,
  /** Bodies that are parsed and stored concurrently: parsing takes many times their bytes. */
  atWork: 2,
  /** Bytes of one deployment per minute, as received and unpacked, including refused requests. Beyond it no more is read. */
  bytesAMinute: 32 * 1024 ** 2,
  spansAMinute: 6_000,
  /** Different models of one deployment per hour; further ones count as one. */
  models: 50,
  /** CPU time for scanning one request for personal data; texts that remain are not stored. */
  scanMs: 500,
  /** Prompts and completions, if a project keeps them: of one attribute, and of a span. */
  contentBytes: 16 * 1024,
  contentOfSpanBytes: 64 * 1024,
  connections: 2_000,
  /** Connections of one sandbox. */
  connectionsOfOne: 64,
  /** Delay of responses to clients that send too much, or with a wrong credential, to slow their retries. */
  pauseMs: 1_000,
  headBytes: 8 * 1024,
  requestMs: 10_000,
  /** Deployments whose quota is kept in memory. */
  deployments: 10_000,
} as const;
export type ReceiverLimits = { [name in keyof typeof receiverLimits]: number };
