import type { Log } from './log.ts';

export interface Troubles {
  /** Warns of it, unless that has been done since it was last over. */
  tell(trouble: string, fields: object, message: string): void;
  over(trouble: string): void;
}

/** Tells of what is met again and again, twice a second, only once: it must not fill the log. */
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
