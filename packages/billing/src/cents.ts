/**
 * An amount of money: whole cents of US dollars, as a safe integer, which JSON, rows and screens preserve exactly. Products and quotients
 * use bigint, because bytes times hours times a price exceed the safe integers.
 */
export type Cents = number;

/** The quotient, rounded half away from zero: 0.5 becomes 1 and −0.5 becomes −1, so that a credit note mirrors its invoice exactly. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError(`A denominator must be positive, not ${denominator}.`);
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/** Throws a RangeError for values that are not whole cents in the range of safe integers: ±90,071,992,547,409.91 dollars. */
export function toCents(value: bigint | number): Cents {
  const cents = Number(value);
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${value} are not whole cents that can be counted exactly.`);
  return cents === 0 ? 0 : cents;
}

export function sumCents(amounts: readonly Cents[]): Cents {
  return toCents(amounts.reduce((sum, cents) => sum + BigInt(toCents(cents)), 0n));
}

/** The negated amount, without −0. */
export function negative(cents: Cents): Cents {
  return cents === 0 ? 0 : -cents;
}

/** A share in basis points (1900 are 19 %), rounded half away from zero. */
export function applyBasisPoints(cents: Cents, basisPoints: number): Cents {
  if (!Number.isSafeInteger(basisPoints) || basisPoints < 0 || basisPoints > 10_000) {
    throw new RangeError(`A share is 0 to 10000 whole basis points, not ${basisPoints}.`);
  }
  return toCents(divideHalfUp(BigInt(toCents(cents)) * BigInt(basisPoints), 10_000n));
}

/** '$1,234.50', '-$0.05'. */
export function formatMoney(cents: Cents): string {
  const size = BigInt(Math.abs(toCents(cents)));
  const dollars = (size / 100n).toLocaleString('en-US');
  return `${cents < 0 ? '-' : ''}$${dollars}.${String(size % 100n).padStart(2, '0')}`;
}
