/**
 * Whether a text contains a possible card number: 15 to 19 digits, optionally separated by spaces or dashes, with a valid check digit
 * (ISO/IEC 7812-1, annex B). Shorter card numbers are rare, and French company numbers have 14 digits with the same check digit.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = text.match(/\d(?:[ -]?\d){14,18}/g) ?? [];
  return runs.some((run) => fits(run.replaceAll(/[ -]/g, '')));
}

/** The message for a user who types a card number. */
export const noCardNumbers = 'This looks like the number of a card. Cards are entered on the page of the payment provider alone.';

function fits(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
