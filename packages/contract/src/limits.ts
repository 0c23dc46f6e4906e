/** What an uploaded archive may be. The form tells these before the upload, the server enforces them while unpacking. */
export const archiveLimits = {
  zip_bytes: 250 * 1024 ** 2,
  unpacked_bytes: 750 * 1024 ** 2,
  entries: 20_000,
  file_bytes: 256 * 1024 ** 2,
  /** Unpacked over packed size of one file, beyond the first megabyte. */
  ratio: 200,
  depth: 40,
  name_bytes: 1024,
} as const;

/** Time budgets of a deployment, in seconds. The start budget can be changed in the manifest. */
export const deploymentBudgets = { build_s: 15 * 60, start_s: 120, drain_s: 30, stop_grace_s: 10 } as const;

/** Requests per minute of an API key, and how many keys of a team may be live at once. */
export const keyLimits = { live: 300, test: 60, window_s: 60, keys: 100 } as const;

export const logLimits = {
  /** Bytes of one line; what is longer is cut with a visible mark. */
  line_bytes: 16 * 1024,
  default_page: 100,
} as const;
