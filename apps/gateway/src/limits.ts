/**
 * Every cap and timeout of the gateway. A hostile visitor and a hostile agent each cost at most this much.
 * Tests pass smaller figures; nothing else changes them.
 */
export const limits = {
  /** Request line and headers together; larger ones are answered with 431. */
  headBytes: 16 * 1024,
  headerCount: 100,
  uriBytes: 8 * 1024,
  /** From the first byte (or the connection) to the end of the headers. */
  headMs: 10_000,
  /** Maximum size of a request body. */
  bodyBytes: 100 * 1024 * 1024,
  /** Maximum pause between two chunks of a request body. */
  bodyIdleMs: 60_000,
  /** An idle connection of a visitor stays open this long. */
  keepAliveMs: 30_000,
  /** Maximum time in which a visitor must read the buffered response. At most a few hundred KiB are buffered before the agent is paused. */
  clientWriteMs: 60_000,
  /** After a response that came before the whole request: how long the rest of the request is read and discarded before the connection is cut. */
  lingerMs: 2_000,
  connections: 10_000,
  /** Per IPv4 address or IPv6 /64. It does not apply to trusted proxies: behind one, everybody has the proxy's address. */
  connectionsPerAddress: 512,
  /** Timeout for the agent's first byte, and between two chunks, once the visitor has closed its sending side: it may be gone. */
  halfClosedMs: 10_000,

  upstreamConnectMs: 2_000,
  /** Pause before the second attempt when nothing listens: a restart often takes no longer. */
  upstreamRetryMs: 100,
  /** Timeout for the agent's first byte. Agents may think long before it. */
  firstByteMs: 300_000,
  /** Maximum pause inside a response; an event stream must send something (a comment line will do) within it. */
  answerIdleMs: 300_000,
  /** Idle timeout of a WebSocket on which neither side sends anything. */
  webSocketIdleMs: 600_000,
  answerHeadBytes: 64 * 1024,
  answerHeaderCount: 256,
  /** Interim responses (1xx) before the final one. */
  interimAnswers: 16,
  /** Total size of the extensions and trailers of one chunked body. */
  chunkExtraBytes: 16 * 1024,

  /** Maximum connections to one instance, and requests that wait for one of them. */
  socketsPerTarget: 256,
  waitingPerTarget: 1_024,
  waitingMs: 10_000,
  /** Kept-alive connections are reused for any request for this long … */
  upstreamIdleMs: 4_000,
  /** … but for a request that must not be sent twice only while surely no server has closed the connection (gunicorn does after 2 s). */
  upstreamFreshMs: 1_000,
  inFlightPerDeployment: 1_000,
  /** A visitor's share (an address, or a /64) of the two above: a deliberately slow visitor leaves room for others. */
  socketsPerVisitor: 192,
  inFlightPerVisitor: 500,
  /** Counted separately: a WebSocket lasts for hours and must not keep short requests out. */
  webSocketsPerDeployment: 1_000,
  webSocketsPerVisitor: 500,

  routesPollMs: 5_000,
  /** Minimum time between two reads of a route without a running agent that a visitor requests. */
  lookAgainMs: 1_000,
  /** Maximum labels read again within that time: those with a route, and unknown ones, which a visitor may invent. */
  labelsLookedAgain: 1_000,
  unknownLabelsLookedFor: 50,
  trafficFlushMs: 1_000,
  /** Maximum rows (deployment and minute) kept while the database is unavailable; beyond it the oldest are dropped. */
  trafficRows: 20_000,
  trafficMinutes: 60,
  trafficRowsPerStatement: 500,
  /** Rate and burst of one deployment's requests whose spans are recorded. */
  spansPerSecond: 10,
  spansAtOnce: 100,
  /** Rate and burst of failed requests that are recorded beyond those. */
  failedSpansPerSecond: 2,
  failedSpansAtOnce: 20,
  spansFlushMs: 1_000,
  /** Maximum spans kept while the database is unavailable; later ones are dropped. */
  spanRows: 5_000,
  spanRowsPerStatement: 500,
  /** Interval in which audit records are sent to the database, and the maximum count and size of a batch. */
  auditShipMs: 200,
  auditBatch: 500,
  auditBatchBytes: 1024 * 1024,
  auditSegmentBytes: 4 * 1024 * 1024,
  /** Interval of the fsync of audit records, and of the search for spools of exited processes. */
  auditSyncMs: 1_000,
  auditAdoptMs: 10_000,
  /** A shortage of the spool ends after this long with room. It is reported again in this interval, with at most this many teams. */
  auditShortageSettleMs: 60_000,
  auditShortageRenewMs: 10_000,
  auditShortageTeams: 1_000,
  /** Bytes recorded of each body's beginning and end, and memory for the copies of all bodies in progress. */
  auditFirstBytes: 4 * 1024,
  auditLastBytes: 1024,
  auditCopiesBytes: 32 * 1024 * 1024,
  /** Maximum traces whose personal data is remembered, their values in total, and how long after the detection. */
  auditTraces: 1_000,
  auditTraceValues: 20_000,
  auditTraceMs: 60_000,
  /** Texts up to this length are scanned inline. Longer ones are queued for a thread: timeout of one scan, and length of the queue. */
  scanInlineLength: 16 * 1024,
  scanMs: 250,
  scansWaiting: 64,
  /** Timeout of a query. */
  databaseMs: 10_000,
  drainMs: 30_000,
  /** Timeout of a decision about a body that is held back. */
  holdMs: 10_000,
  /** Time for sending a WebSocket's close frame after the drain. */
  farewellMs: 500,
  parentPollMs: 2_000,

  /** Heartbeat interval of each of several processes. */
  followerBeatMs: 5_000,
  /** A process is killed after more missed heartbeats than this, at the start and later. The server, which kills a silent gateway, waits longer. */
  followerStartBeats: 4,
  followerSilentBeats: 3,
  /** Pause before a process is replaced. It doubles with each exit, and is reset by a process that ran this long. */
  followerRestartMs: 200,
  followerRestartMaxMs: 10_000,
  followerSteadyMs: 30_000,
  /** Time after the drain until a process that has not exited is killed. */
  followerLeaveMs: 4_000,
};

export type Limits = typeof limits;
