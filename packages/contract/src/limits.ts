/** Limits of an uploaded archive. The form shows them before the upload; the server enforces them while unpacking. */
export const archiveLimits = {
  zipBytes: 250 * 1024 ** 2,
  unpackedBytes: 750 * 1024 ** 2,
  entries: 20_000,
  fileBytes: 256 * 1024 ** 2,
  /** Unpacked over packed size of one file that has more than `ratioFromBytes`. Indexes of vectors that hold little are smaller, and nearly all zeros. */
  ratio: 200,
  ratioFromBytes: 16 * 1024 ** 2,
  depth: 40,
  nameBytes: 1024,
} as const;

/** Time budgets of a deployment, in seconds. The start budget can be changed in the manifest. */
export const deploymentBudgets = { buildSeconds: 15 * 60, startSeconds: 120, drainSeconds: 30, stopGraceSeconds: 10 } as const;

/** Requests of MCP that are answered at a time on each server, and bytes of one. */
export const mcpLimits = { perPerson: 8, atOnce: 64, bodyBytes: 8 * 1024 ** 2 } as const;

/** Comparisons of two deployments that are made at a time on each server. */
export const comparisonLimits = { perTeam: 2, atOnce: 4 } as const;

/**
 * Maximum number of variables in one environment of a project, and maximum bytes of all names and values. Linux starts no program with more
 * than 2 MiB of environment and arguments, which also include those of the manifest, databases and the sandbox.
 */
export const variableLimits = { count: 500, sumBytes: 512 * 1024 } as const;

/** Maximum characters of texts that people enter in a form. */
export const textLimits = {
  projectDescription: 500,
  policyName: 100,
  policyDescription: 2_000,
  waiverOwner: 200,
  waiverReason: 2_000,
  modelName: 128,
  modelProvider: 100,
  modelProviderRegion: 100,
  modelProviderNote: 1_000,
  dataSubjectReference: 200,
} as const;

/** Requests per minute of an API key, and maximum live keys of a team. */
export const keyLimits = { live: 300, test: 60, windowSeconds: 60, keys: 100 } as const;

/** Days that a completed access review is valid, reviews kept per team, and entries decided in one call. */
export const accessReviewLimits = { validDays: 180, kept: 100, decisions: 100 } as const;

export const logLimits = {
  /** Bytes of one line. A longer line is cut with a visible mark. */
  lineBytes: 16 * 1024,
  defaultPage: 100,
  searchLetters: 200,
} as const;

/** Backups of one database: days that daily backups are kept, and maximum number of manual backups. */
export const backupLimits = { dailyKeptDays: 7, maxManual: 10 } as const;

/** Shares of the storage limit at which a warning begins, writing is disabled, writing is enabled again, and connections are refused. */
export const storageMarks = { warning: 0.8, readOnly: 1, writableAgain: 0.95, refused: 1.2 } as const;

export const tryMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type TryMethod = (typeof tryMethods)[number];

/** A request that Paddock sends to an agent for a user (`POST /deployments/{id}/try`). `perTeam` and `atOnce` count on each server. */
export const tryLimits = {
  pathLetters: 4096,
  headers: 32,
  headerLetters: 4096,
  bodyBytes: 1024 ** 2,
  answerBytes: 10 * 1024 ** 2,
  totalMs: 120_000,
  perTeam: 4,
  atOnce: 32,
} as const;

export const metricsRanges = ['1h', '24h', '7d', '30d'] as const;
/** Points of a series per range (spec, section 9), and the seconds between two points. */
export const metricsPoints = { '1h': 60, '24h': 48, '7d': 168, '30d': 720 } as const satisfies Record<
  (typeof metricsRanges)[number],
  number
>;
export const metricsSeconds = { '1h': 3600, '24h': 86_400, '7d': 604_800, '30d': 2_592_000 } as const satisfies Record<
  (typeof metricsRanges)[number],
  number
>;

/** Spans kept of one trace, days that they are kept, and bytes of them shown at once: later spans come without attributes. */
export const traceLimits = { spansPerTrace: 2_000, keptDays: 7, shownBytes: 8 * 1024 ** 2 } as const;

/**
 * Sums of model calls by day: days of one request, days that they are kept, pairs of an agent and a model that have rows of their own, and
 * models that are priced and named.
 */
export const modelUsageLimits = { days: 92, keptDays: 400, pairs: 50, models: 200 } as const;

/**
 * Metered usage: months and projects that are listed, budgets of a team and their maximum amount in dollars, the shares of a budget at
 * which an alert opens, and the hours after which a past month is closed.
 */
export const usageLimits = {
  months: 24,
  projects: 100,
  budgets: 100,
  maxBudget: 1_000_000,
  warnAt: [50, 80, 100],
  closeAfterHours: 6,
} as const;

/**
 * Billing notices that are shown, and how long a request waits for the provider's response before it returns that the payment is running.
 */
export const billingLimits = { notices: 20, paymentWaitMs: 10_000 } as const;

/** Characters of the name on an invoice and of a line of its address, and lines of an address. */
export const invoiceLimits = { nameLength: 200, lineLength: 100, addressLines: 4 } as const;

/** Channels of a team, and limits of deliveries: messages that may wait per channel, and the time that messages are kept. */
export const channelLimits = { perTeam: 10, waiting: 1000, keptPerChannel: 5000, keptDays: 30, tryMs: 10_000, offAfterDays: 5 } as const;

/**
 * Matches of the audit trail that are counted, characters of a text that may be scanned, and days that payloads are kept unless the
 * operator sets another number. `exportsPerTeam`, `exportsAtOnce` and `verificationsPerTeam` count on each server.
 */
export const governanceLimits = {
  counted: 10_000,
  scanCharacters: 100_000,
  retentionDays: 90,
  exportsPerTeam: 2,
  exportsAtOnce: 16,
  verificationsPerTeam: 2,
} as const;
