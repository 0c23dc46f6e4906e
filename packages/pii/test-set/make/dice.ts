/** A seeded random generator: the same seed makes the same set on every machine. */
export type Dice = ReturnType<typeof dice>;

export function dice(seed: number, half: 0 | 1) {
  let state = seed >>> 0;
  /** Mulberry32: small, and good enough for choosing names. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const of = <T>(list: readonly T[]): T => list[between(0, list.length - 1)]!;
  return {
    between,
    of,
    chance: (share: number) => next() < share,
    /** Training texts and held-out texts draw from different halves of a list. */
    half: <T>(list: readonly T[]): T => of(list.filter((_, at) => at % 2 === half)),
    digits: (pattern: string) => pattern.replace(/#/g, () => String(between(0, 9))),
    hex: (length: number) => Array.from({ length }, () => between(0, 15).toString(16)).join(''),
    letter: () => String.fromCharCode(between(65, 90)),
  };
}
