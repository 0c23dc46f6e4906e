/** Bounds of the output of a failed command that is searched for known words. */
const maxLines = 60;
const maxCharacters = 2000;

/**
 * The first and the last lines of a command's output, cut and without terminal sequences. Later work on these lines takes bounded time,
 * whatever a stranger wrote.
 */
export function boundedLines(lines: string[]): string[] {
  const kept = lines.length <= 2 * maxLines ? lines : [...lines.slice(0, maxLines), ...lines.slice(-maxLines)];
  return kept.map((line) => withoutSequences(line.slice(0, maxCharacters)));
}

/** Whether a line in the middle of a long output may show the cause. */
export const mayTell = (line: string): boolean => telling.test(line.slice(0, maxCharacters));

const telling = /\berror\b|ERR[!_ ]|fatal|not found|cannot find|No such file|No space left|Killed|No module named|: undefined reference/i;

// Colours and styles (`ESC [ 1 ; 31 m`), and titles and links (`ESC ] … BEL`). Each part ends before the next ESC.
// oxlint-disable-next-line no-control-regex -- terminal sequences are made of control characters
const sequence = /\u001b(?:\[[0-9:;<=>?]{0,64}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

function withoutSequences(line: string): string {
  return line.includes('\u001b') ? line.replace(sequence, '') : line;
}
