/** In characters: room for a cause and its hint, and still a sentence on a card and in a mail. */
const LONGEST = 300;
const MOST_LINES = 3;
/** What Redis (`1:M 22 Nov 2026 04:14:45.220 # `) and PostgreSQL (`2026-11-22 04:14:45.220 UTC [17] `) put before each line. */
const PREFIX = /^(\d+:[A-Z] \d+ \w+ \d+ [\d:.]+ [.\-*#] |\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] )/;

/** The end of what a server wrote, where the cause stands, in one line without times and process numbers. Empty if it wrote nothing. */
export function lastWords(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(PREFIX, '').replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  let said = lines.pop()?.slice(0, LONGEST) ?? '';
  for (const line of lines.slice(1 - MOST_LINES).reverse()) {
    if (line.length + said.length + 2 > LONGEST) break;
    said = `${line}; ${said}`;
  }
  return said;
}
