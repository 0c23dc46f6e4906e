import type { Finding } from '../src/finding.ts';
import { type PiiType, piiTypes } from '../src/types.ts';
import { type Labelled, readSet } from './read.ts';
import { computeRates, score } from './score.ts';

// A little below the current results: a change of a single text does not fail, a rule that stops working does.
export const minF1: Record<PiiType, number> = {
  Email: 0.98,
  Phone: 0.96,
  SSN: 0.97,
  'Credit Card': 0.93,
  Address: 0.98,
  Name: 0.955,
  'IP Address': 0.98,
  'Date of Birth': 0.94,
};

/** The texts that no rule was tuned on. Throws if they are not beside the detector. */
export const heldOut = (): Labelled[] => readSet('held-out');

export interface TypeScore {
  type: PiiType;
  f1: number;
  precision: number;
  recall: number;
  least: number;
  /** Values that should be found. */
  values: number;
}

/** The rates of the findings in the held-out texts, by type. */
export function scoreOfTypes(texts: readonly Labelled[], find: (text: Labelled) => readonly Finding[]): TypeScore[] {
  const { types } = score(texts, find);
  return piiTypes.map((type) => {
    const counts = types.get(type) ?? { hits: 0, misses: 0, falseAlarms: 0 };
    return { type, ...computeRates(counts), least: minF1[type], values: counts.hits + counts.misses };
  });
}
