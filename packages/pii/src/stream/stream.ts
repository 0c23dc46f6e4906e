import type { DetectOptions } from '../find.ts';
import type { Replacement } from '../redact.ts';
import type { PiiType } from '../types.ts';

export interface StreamOptions extends DetectOptions {
  replacement?: Replacement | undefined;
  /** `events`: lines, as of server-sent events, whose data is JSON. `text`: anything else. */
  format: 'text' | 'events';
}

export type Counts = Partial<Record<PiiType, number>>;

export interface MaskStream {
  /** What can be passed on now. What may be the beginning of a value is held back. */
  push(text: string): string;
  /** The rest. */
  end(): string;
  /** How many values of each type have been masked so far. */
  readonly findings: Counts;
}

export function count(counts: Counts, found: readonly { type: PiiType }[]): void {
  for (const { type } of found) counts[type] = (counts[type] ?? 0) + 1;
}
