/**
 * All caps and timeouts of the gateway. They bound the cost of a hostile visitor and of a hostile agent.
 * Tests pass smaller values; nothing else changes them.
 */
export const limits = {
  /** Request line and headers together; a larger head gets 431. */
  headBytes: 16 * 1024,
  headerCount: 100,
  uriBytes: 8 * 1024,
  /** From the first byte (or the connection) to the end of the headers. */
  headMs: 10_000,
  /** Bytes of one request body. */
  bodyBytes: 100 * 1024 * 1024,
  /** Maximum pause between two pieces of a request body. */
  bodyIdleMs: 60_000,
  /** How long an idle connection of a visitor stays open. */
  keepAliveMs: 30_000,
  /** Maximum time for a visitor to read pending output, which is at most a few hundred KiB before the agent is paused. */
  clientWriteMs: 60_000,
  /** After a response that was sent before the whole request arrived: how long the rest is read and discarded before the connection is closed. */
  lingerMs: 2_000,
  connections: 10_000,
  /** Connections of one IPv4 address or one /64 of IPv6. Not applied behind a trusted proxy, where all visitors have the proxy's address. */
  connectionsPerAddress: 512,
  /** A visitor that has closed its sending side may be gone: maximum time until the agent's first byte, and between two pieces. */
  halfClosedMs: 10_000,

  upstreamConnectMs: 2_000,
  /** Pause before the second attempt when nothing listens: a restart is often almost complete. */
  upstreamRetryMs: 100,
  /** Maximum time until the first byte: agents may think for long. */
  firstByteMs: 300_000,
  /** Maximum silence inside a response; a stream of events must send something (a comment line will do) within it. */
  answerIdleMs: 300_000,
  /** Maximum silence of both sides of a WebSocket. */
  webSocketIdleMs: 600_000,
  answerHeadBytes: 64 * 1024,
  answerHeaderCount: 256,
  /** Interim responses (1xx) before the final one. */
  interimAnswers: 16,
  /** Bytes of extensions and trailers of one chunked body, all together. */
  chunkExtraBytes: 16 * 1024,

  /** Connections to one instance, and requests that wait for a connection. */
  socketsPerTarget: 256,
  waitingPerTarget: 1_024,
  waitingMs: 10_000,
  /** Kept-alive connections are reused for any request for this long … */
  upstreamIdleMs: 4_000,
  /** … but for a request that must not be sent twice only while no server has closed them yet (gunicorn does after 2 s). */
  upstreamFreshMs: 1_000,
  inFlightPerDeployment: 1_000,
  /** Shares of one visitor (an address, or a /64) of the two above: a deliberately slow visitor leaves room for others. */
  socketsPerVisitor: 192,
  inFlightPerVisitor: 500,
  /** Counted separately: a WebSocket lasts for hours and must not keep short requests out. */
  webSocketsPerDeployment: 1_000,
  webSocketsPerVisitor: 500,

  routesPollMs: 5_000,
  /** Minimum time between two reads of a route without a running agent that visitors request. */
  lookAgainMs: 1_000,
  /** Labels that are read again within that pause: those that have a route, and unknown ones, which a visitor may invent. */
  labelsLookedAgain: 1_000,
  unknownLabelsLookedFor: 50,
  trafficFlushMs: 1_000,
  /** Rows (deployment and minute) kept while the database is down; the oldest are dropped beyond it. */
  trafficRows: 20_000,
  trafficMinutes: 60,
  trafficRowsPerStatement: 500,
  /** Requests of one deployment whose spans are recorded: rate per second, and burst after a pause. */
  spansPerSecond: 10,
  spansAtOnce: 100,
  /** Failed requests that are recorded beyond that rate. */
  failedSpansPerSecond: 2,
  failedSpansAtOnce: 20,
  spansFlushMs: 1_000,
  /** Spans kept while the database is down; later ones are dropped. */
  spanRows: 5_000,
  spanRowsPerStatement: 500,
  /** Interval at which audit records go to the database, and maximum records and bytes of a batch. */
  auditShipMs: 200,
  auditBatch: 500,
  auditBatchBytes: 1024 * 1024,
  auditSegmentBytes: 4 * 1024 * 1024,
  /** How often records are synced to the disk, and how often the spools of ended processes are searched. */
  auditSyncMs: 1_000,
  auditAdoptMs: 10_000,
  /** A shortage of the spool is over after this long with room; while it lasts it is reported this often, with at most this many teams. */
  auditShortageSettleMs: 60_000,
  auditShortageRenewMs: 10_000,
  auditShortageTeams: 1_000,
  /** Recorded part of each body, and memory for all bodies in progress. */
  auditFirstBytes: 4 * 1024,
  auditLastBytes: 1024,
  auditCopiesBytes: 32 * 1024 * 1024,
  /** Traces whose personal data is remembered, the number of values of all of them, and for how long after they were found. */
  auditTraces: 1_000,
  auditTraceValues: 20_000,
  auditTraceMs: 60_000,
  /** Length of texts that are scanned inline; longer ones queue for a thread, with this time for each and this many waiting. */
  scanInlineLength: 16 * 1024,
  scanMs: 250,
  scansWaiting: 64,
  /** Timeout of one query. */
  databaseMs: 10_000,
  drainMs: 30_000,
  /** Timeout of a decision about a held body. */
  holdMs: 10_000,
  /** Time for a WebSocket's close frame to be sent after the drain. */
  farewellMs: 500,
  parentPollMs: 2_000,

  /** Heartbeat interval of a follower, one of several processes … */
  followerBeatMs: 5_000,
  /**
   * … which is killed after more such intervals of silence, during its start and later. The server, which kills a silent gateway as a whole, waits
   * longer.
   */
  followerStartBeats: 4,
  followerSilentBeats: 3,
  /** Pause before a process is replaced; doubled after each that ended, and reset after one that ran for a while. */
  followerRestartMs: 200,
  followerRestartMaxMs: 10_000,
  followerSteadyMs: 30_000,
  /** Time after the drain until a process that has not exited is killed. */
  followerLeaveMs: 4_000,
};

export type Limits = typeof limits;
