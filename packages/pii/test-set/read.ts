import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PiiType } from '../src/types.ts';

export interface Labelled {
  id: string;
  lang: string;
  kind: string;
  text: string;
  /** Optional spans may be found or not, for example a town alone. They count neither as a hit nor as a miss nor as a false alarm. */
  spans: { type: PiiType; start: number; end: number; optional?: true }[];
}

/** Rules are tuned on `train` only; `held-out` measures them. */
export const readSet = (half: 'train' | 'held-out'): Labelled[] =>
  readFileSync(join(import.meta.dirname, `${half}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Labelled);
