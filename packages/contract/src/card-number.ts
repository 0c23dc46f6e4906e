/**
 * Tells whether a text holds what could be the number of a card: 15 to 19 digits, with spaces or dashes between them, whose check digit fits (ISO/IEC
 * 7812-1, annex B). Shorter ones are rare, and numbers of French companies have 14 with the same check digit.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = text.match(/\d(?:[ -]?\d){14,18}/g) ?? [];
  return runs.some((run) => fits(run.replaceAll(/[ -]/g, '')));
}

/** What people are told who type one. */
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
