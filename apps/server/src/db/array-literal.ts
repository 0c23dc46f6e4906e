/**
 * PostgreSQL's text form of a one-dimensional array of texts (manual, 8.15.6), for large parameters: `${arrayLiteral(names)}::text[]`. The
 * driver's own form costs three times as much.
 */
export function arrayLiteral(values: readonly (string | null)[]): string {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null) text += 'null';
    else text += special.test(value) ? `"${value.replaceAll(eachSpecial, String.raw`\$&`)}"` : `"${value}"`;
  }
  return `${text}}`;
}

const special = /["\\]/;
const eachSpecial = /["\\]/g;
