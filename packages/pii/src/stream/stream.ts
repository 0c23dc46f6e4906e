import type { DetectOptions } from '../find.ts';
import type { Replacement } from '../redact.ts';
import type { PiiType } from '../types.ts';

export interface StreamOptions extends DetectOptions {
  replacement?: Replacement | undefined;
  /** `events`: lines with JSON data, such as server-sent events. `text`: anything else. */
  format: 'text' | 'events';
}

export type Counts = Partial<Record<PiiType, number>>;

export interface MaskStream {
  /** Returns the text that can be passed on now. A possible beginning of a value is held back. */
  push(text: string): string;
  /** Returns the rest. */
  end(): string;
  /** Number of masked values of each type so far. */
  readonly findings: Counts;
}

export function count(counts: Counts, found: readonly { type: PiiType }[]): void {
  for (const { type } of found) counts[type] = (counts[type] ?? 0) + 1;
}
