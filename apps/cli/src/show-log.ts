import type { LogLine } from '@paddock/contract';
import { colouredText, plainText } from '@paddock/contract/terminal-text';
import type { Paint } from './terminal.ts';

/** A line for people: time, level, message. A terminal gets only the colours among an agent's control sequences, a pipe gets none. */
export function logText({ created_at, level, message }: LogLine, { colours, paint }: { colours: boolean; paint: Paint }): string {
  const shown = colours ? colouredText(message) : plainText(message);
  const text = shown.includes('\x1b') ? `${shown}\x1b[0m` : shown;
  const time = paint.dim(localTime(created_at));
  return `${time}  ${levelText(level, paint)}  ${text}`;
}

function levelText(level: LogLine['level'], paint: Paint): string {
  const word = level.padEnd(7);
  if (level === 'error') return paint.red(word);
  return level === 'warning' ? paint.yellow(word) : paint.dim(word);
}

const pad = (value: number) => String(value).padStart(2, '0');
function localTime(iso: string): string {
  const at = new Date(iso);
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}
