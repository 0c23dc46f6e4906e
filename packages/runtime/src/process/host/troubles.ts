import type { Log } from './log.ts';

export interface Troubles {
  /** Logs a warning, unless this trouble was logged already and has not been over since. */
  tell(trouble: string, fields: object, message: string): void;
  over(trouble: string): void;
}

/** Logs a trouble once, however often it is met: checks twice a second would fill the log. */
export function troubles(log: Log): Troubles {
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
