import type { SubjectPlaceName } from '@paddock/contract';
import type { Needles } from './needles.ts';

/** Maximum number of matches of a place that are listed. */
export const maxExamples = 20;

export interface SubjectMatches {
  found: number;
  /** The number of all the team's entries there; absent where nothing is erased. */
  total?: number;
  /** The newest, at most `maxExamples`. */
  examples: { id: string; at: string }[];
}

/**
 * A place where personal data may be stored: each feature searches its own tables. A statement may take minutes; long work is divided into pieces.
 */
export interface SubjectPlace {
  place: SubjectPlaceName;
  find: (team_id: string, needles: Needles, signal: AbortSignal) => Promise<SubjectMatches>;
  /** Removes the values; afterwards `find` finds nothing. Absent where nothing may be changed. */
  erase?: (team_id: string, needles: Needles, signal: AbortSignal) => Promise<SubjectErasure>;
}

export interface SubjectErasure {
  erased: number;
  /** Tables whose files still contain the bytes until they are rewritten. */
  tables: string[];
  /** Numbers of the audit records that lost their payload. */
  seqs?: number[];
}
