import type { Log } from './log.ts';

export interface OnceLogger {
  /** Logs a warning, unless it was logged before and the problem has not been resolved since. */
  tell(trouble: string, fields: object, message: string): void;
  over(trouble: string): void;
}

/** Logs a problem once, however often it occurs: checks twice a second would fill the log. */
export function createOnceLogger(log: Log): OnceLogger {
  const told = new Set<string>();
  return {
    tell(trouble, fields, message) {
      if (!told.has(trouble)) log.warn(fields, message);
      told.add(trouble);
    },
    over(trouble) {
      told.delete(trouble);
    },
  };
}
