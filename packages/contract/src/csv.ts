/** A text, a number, or a formatted number such as `{ figure: '-0.50' }`. */
export type CsvCell = string | number | { figure: string } | null | undefined;

/** Blanks and invisible characters, followed by a character that a spreadsheet reads as the beginning of a formula, also in full width. */
const formula = /^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/**
 * A row by RFC 4180 with its line end. Cells with a comma, a quote or a line end are quoted. A text that a spreadsheet would run as a
 * formula is prefixed with an apostrophe. Numbers keep their sign.
 */
export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map((cell) => quoted(formatCell(cell))).join(',')}\r\n`;

function formatCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.figure;
  return formula.test(cell) ? `'${cell}` : cell;
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
