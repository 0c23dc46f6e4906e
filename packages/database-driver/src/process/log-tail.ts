/** Enough for a cause and its hint, but still one sentence for a card or a mail. */
const MAX_CHARACTERS = 300;
const MAX_LINES = 3;
/** The beginning of each line of Redis (`1:M 22 Nov 2026 04:14:45.220 # `) and PostgreSQL (`2026-11-22 04:14:45.220 UTC [17] `). */
const PREFIX = /^(\d+:[A-Z] \d+ \w+ \d+ [\d:.]+ [.\-*#] |\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] )/;

/**
 * The last lines of a server's output, which show the cause, in one line without times and process numbers. Empty if there is no output.
 */
export function readLogTail(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(PREFIX, '').replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  let said = lines.pop()?.slice(0, MAX_CHARACTERS) ?? '';
  for (const line of lines.slice(1 - MAX_LINES).reverse()) {
    if (line.length + said.length + 2 > MAX_CHARACTERS) break;
    said = `${line}; ${said}`;
  }
  return said;
}
