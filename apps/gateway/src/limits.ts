/**
 * Every cap and time-out of the gateway. A hostile visitor and a hostile agent each cost at most this much.
 * Tests pass smaller figures; nothing else changes them.
 */
export const limits = {
  /** Request line and headers together; the answer is 431 beyond it. */
  headBytes: 16 * 1024,
  headerCount: 100,
  uriBytes: 8 * 1024,
  /** From the first byte (or the connection) to the end of the headers. */
  headMs: 10_000,
  /** Bytes of one request body. */
  bodyBytes: 100 * 1024 * 1024,
  /** Longest pause between two pieces of a request body. */
  bodyIdleMs: 60_000,
  /** An idle connection of a visitor stays open this long. */
  keepAliveMs: 30_000,
  /** Longest that a visitor may take for what waits for them; at most a few hundred KiB do before the agent is held back. */
  clientWriteMs: 60_000,
  /** After an answer that came before the whole request: how long the rest is read and thrown away before the connection is cut. */
  lingerMs: 2_000,
  connections: 10_000,
  /** Of one IPv4 address or one /64 of IPv6. Behind a trusted proxy everybody has the proxy's address, so this does not count for those. */
  connectionsPerAddress: 512,
  /** A visitor that has closed its sending side may be gone: so long may the agent take to begin, and between two pieces. */
  halfClosedMs: 10_000,

  upstreamConnectMs: 2_000,
  /** Pause before the second try when nothing listens: a restart is often just over. */
  upstreamRetryMs: 100,
  /** Agents think long before their first byte; beyond this nobody waits any more. */
  firstByteMs: 300_000,
  /** Longest silence inside an answer; a stream of events must say something (a comment line will do) within it. */
  answerIdleMs: 300_000,
  /** A WebSocket on which neither side says anything. */
  webSocketIdleMs: 600_000,
  answerHeadBytes: 64 * 1024,
  answerHeaderCount: 256,
  /** Interim answers (1xx) before the real one. */
  interimAnswers: 16,
  /** Extensions and trailers of one chunked body, all together. */
  chunkExtraBytes: 16 * 1024,

  /** Connections to one instance, and requests that wait for one of them. */
  socketsPerTarget: 256,
  waitingPerTarget: 1_024,
  waitingMs: 10_000,
  /** Kept-alive connections are given to any request for this long … */
  upstreamIdleMs: 4_000,
  /** … but to one that must not be sent twice only while surely no server has closed it yet (gunicorn does after 2 s). */
  upstreamFreshMs: 1_000,
  inFlightPerDeployment: 1_000,
  /** What one visitor (an address, or a /64) may have of the two above: whoever is slow on purpose leaves room for others. */
  socketsPerVisitor: 192,
  inFlightPerVisitor: 500,
  /** Counted apart: a WebSocket lasts for hours and must not keep short requests out. */
  webSocketsPerDeployment: 1_000,
  webSocketsPerVisitor: 500,

  routesPollMs: 5_000,
  /** Pause before a route without a running agent is read again because a visitor asks for it. */
  lookAgainMs: 1_000,
  /** Labels that are read again within that pause: those that have a route, and those that nobody knows, which a visitor may invent. */
  labelsLookedAgain: 1_000,
  unknownLabelsLookedFor: 50,
  trafficFlushMs: 1_000,
  /** Rows (deployment and minute) kept while the database is away; the oldest are given up beyond it. */
  trafficRows: 20_000,
  trafficMinutes: 60,
  trafficRowsPerStatement: 500,
  /** Requests of one deployment whose spans are recorded: so many a second, and so many at once after a pause. */
  spansPerSecond: 10,
  spansAtOnce: 100,
  /** Of those beyond it, the ones that fail. */
  failedSpansPerSecond: 2,
  failedSpansAtOnce: 20,
  spansFlushMs: 1_000,
  /** Spans kept while the database is away; those that come later are given up. */
  spanRows: 5_000,
  spanRowsPerStatement: 500,
  /** Records of the audit trail go to the database so often, and so many (and so many bytes) at once at the most. */
  auditShipMs: 200,
  auditBatch: 500,
  auditBatchBytes: 1024 * 1024,
  auditSegmentBytes: 4 * 1024 * 1024,
  /** How often records are made to survive the end of the machine, and how often the spools of ended processes are looked for. */
  auditSyncMs: 1_000,
  auditAdoptMs: 10_000,
  /** A shortage of the spool is over after so long with room; it is reported anew so often, with so many teams at the most. */
  auditShortageSettleMs: 60_000,
  auditShortageRenewMs: 10_000,
  auditShortageTeams: 1_000,
  /** What of each body is recorded, and memory for all bodies under way. */
  auditFirstBytes: 4 * 1024,
  auditLastBytes: 1024,
  auditCopiesBytes: 32 * 1024 * 1024,
  /** Traces whose personal data is known, values of all of them together, and for how long after they were found. */
  auditTraces: 1_000,
  auditTraceValues: 20_000,
  auditTraceMs: 60_000,
  /** Texts that are looked through at once; longer ones have their turn in a thread, each for so long, and so many wait. */
  scanInlineLength: 16 * 1024,
  scanMs: 250,
  scansWaiting: 64,
  /** One query. */
  databaseMs: 10_000,
  drainMs: 30_000,
  /** A decision about a body that is held back. */
  holdMs: 10_000,
  /** After the drain a WebSocket's close frame has this long to leave. */
  farewellMs: 500,
  parentPollMs: 2_000,

  /** Of several processes, each says after this time again that it lives … */
  followerBeatMs: 5_000,
  /** … and is killed after more such times of silence, while it starts and later. The server, which ends a silent gateway whole, waits longer. */
  followerStartBeats: 4,
  followerSilentBeats: 3,
  /** Pause before a process is replaced; twice as long after each that ended, and the shortest again after one that ran for a while. */
  followerRestartMs: 200,
  followerRestartMaxMs: 10_000,
  followerSteadyMs: 30_000,
  /** After the drain, until a process that has not left is killed. */
  followerLeaveMs: 4_000,
};

export type Limits = typeof limits;
