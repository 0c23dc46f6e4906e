/** A text, a number, or a number in a form of its own, such as `{ figure: '-0.50' }`. */
export type CsvCell = string | number | { figure: string } | null | undefined;

/** Blanks and letters that nobody sees, then what a spreadsheet takes for the beginning of a formula, also in full width. */
const formula = /^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/**
 * A row by RFC 4180, with its line end; what has a comma, a quote or a line end is quoted. A text that a spreadsheet would run as a formula begins
 * with an apostrophe. Numbers keep their sign.
 */
export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map((cell) => quoted(textOf(cell))).join(',')}\r\n`;

function textOf(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.figure;
  return formula.test(cell) ? `'${cell}` : cell;
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
