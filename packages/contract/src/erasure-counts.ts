/** An erasure of more than this share of what a place holds, and of more than so many there, needs a second confirmation that names the count. */
export const unconfirmedErasure = { share: 0.05, count: 20 } as const;

interface Counted {
  found: number;
  /** Null where nothing is erased. */
  total: number | null;
}

/** How much an erasure of what was found would erase. */
export const countToErase = (places: readonly Counted[]): number =>
  places.reduce((sum, { found, total }) => sum + (total === null ? 0 : found), 0);

/** Whether an erasure of what was found needs its count confirmed. */
export const needsCount = (places: readonly Counted[]): boolean =>
  places.some(({ found, total }) => total !== null && found > unconfirmedErasure.count && found > total * unconfirmedErasure.share);
