import type { SubjectPlaceName } from '@paddock/contract';
import type { Needles } from './needles.ts';

/** Of what is found in a place, so many are told by name. */
export const maxExamples = 20;

export interface SubjectMatches {
  found: number;
  /** How much of the team's it holds; absent where nothing is erased. */
  total?: number;
  /** The newest, at most `maxExamples`. */
  examples: { id: string; at: string }[];
}

/** Where data of people may be stored: each feature looks through its own tables. A statement may take minutes; what is long goes in pieces. */
export interface SubjectPlace {
  place: SubjectPlaceName;
  find: (team_id: string, needles: Needles, signal: AbortSignal) => Promise<SubjectMatches>;
  /** Takes the values out of what holds them; afterwards `find` finds nothing. Absent where nothing may be changed. */
  erase?: (team_id: string, needles: Needles, signal: AbortSignal) => Promise<SubjectErasure>;
}

export interface SubjectErasure {
  erased: number;
  /** Tables whose files still hold the bytes until they are rewritten. */
  tables: string[];
  /** Records of the trail that lost their payload, by number. */
  seqs?: number[];
}
