import * as fc from 'fast-check';

/** Places at which a text is split: mostly none or few, sometimes after each byte. */
export const cuts: fc.Arbitrary<number[] | 'everywhere'> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<number[]>([]) },
  { weight: 4, arbitrary: fc.array(fc.nat(2_000), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant('everywhere' as const) },
);

/** A longer text is not split after each byte, which would take too long. */
const longest = 2_000;
/** Maximum size of a read. */
const readBytes = 64 * 1024;

export function cut(text: string, places: number[] | 'everywhere'): Buffer[] {
  const whole = Buffer.from(text, 'latin1');
  if (places === 'everywhere' && whole.length <= longest) return Array.from(whole, (_, at) => whole.subarray(at, at + 1));
  const inside = places === 'everywhere' ? [] : places.map((place) => place % (whole.length + 1));
  const ends = [...new Set([...inside, Math.min(readBytes, whole.length), whole.length])].toSorted((a, b) => a - b);
  return ends.map((end, n) => whole.subarray(n === 0 ? 0 : ends[n - 1], end)).filter((piece) => piece.length > 0);
}
