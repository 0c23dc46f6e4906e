import type { PiiStats } from '@paddock/contract';

/** The found types, most frequent first. */
export const sortCounts = ({ types_detected }: PiiStats): [type: string, count: number][] =>
  Object.entries(types_detected)
    .filter(([, count]) => count > 0)
    .sort(([a, more], [b, most]) => most - more || a.localeCompare(b));
