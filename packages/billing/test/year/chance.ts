/** Seeded random numbers (mulberry32), so that a year can be repeated. */
export function chance(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    happens: (share: number): boolean => next() < share,
    below: (limit: number): number => Math.floor(next() * limit),
    oneOf: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  };
}
export type Chance = ReturnType<typeof chance>;
