import type { LogLine } from '@paddock/contract';
import { plainText } from '@paddock/contract/terminal-text';

export type ShownLine = Omit<LogLine, 'id'>;

const maxLineLetters = 2000;
const maxLetters = 100_000;

/** The newest lines that fit into a response, oldest first; a longer line is cut. `left_out` counts the older lines that did not fit. */
export function boundedLines(lines: readonly LogLine[]): { logs: ShownLine[]; left_out: number } {
  const logs: ShownLine[] = [];
  let letters = 0;
  for (const { number, created_at, level, source, message } of lines.toReversed()) {
    const plain = plainText(message);
    const shown = plain.length > maxLineLetters ? `${plain.slice(0, maxLineLetters).toWellFormed()}…` : plain;
    letters += shown.length;
    if (letters > maxLetters) break;
    logs.unshift({ number, created_at, level, source, message: shown });
  }
  return { logs, left_out: lines.length - logs.length };
}
