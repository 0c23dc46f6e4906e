import type { SubjectPlaceName } from '@paddock/contract';
import type { Needles } from './needles.ts';

/** Maximum examples listed for each place. */
export const maxExamples = 20;

export interface SubjectMatches {
  found: number;
  /** Total number of the team's entries there; absent if the place erases nothing. */
  total?: number;
  /** The newest, at most `maxExamples`. */
  examples: { id: string; at: string }[];
}

/** A place where personal data may be stored: each feature searches its own tables. A statement may take minutes; longer work is done in parts. */
export interface SubjectPlace {
  place: SubjectPlaceName;
  find: (team_id: string, needles: Needles, signal: AbortSignal) => Promise<SubjectMatches>;
  /** Erases the values from the stored data; afterwards `find` finds nothing. Absent if nothing may be changed. */
  erase?: (team_id: string, needles: Needles, signal: AbortSignal) => Promise<SubjectErasure>;
}

export interface SubjectErasure {
  erased: number;
  /** Tables whose files still hold the bytes until they are rewritten. */
  tables: string[];
  /** Records of the trail that lost their payload, by number. */
  seqs?: number[];
}
