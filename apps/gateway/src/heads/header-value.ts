import { isBlank } from './characters.ts';

/**
 * The value of a header in a head whose lines are known to be valid, several joined by commas; undefined without one. Only for
 * rarely needed headers: it scans the whole head.
 * @param name in lower case
 */
export function headerValue(head: string, name: string): string | undefined {
  let value: string | undefined;
  for (let at = nextLine(head, 0); at < head.length; at = nextLine(head, at)) {
    const to = at + name.length;
    if (head.charCodeAt(to) !== 58 || head.slice(at, to).toLowerCase() !== name) continue;
    const one = trimmed(head, to + 1, lineEnd(head, to));
    value = value === undefined ? one : `${value},${one}`;
  }
  return value;
}

function lineEnd(head: string, from: number): number {
  const end = head.indexOf('\r\n', from);
  return end < 0 ? head.length : end;
}

function nextLine(head: string, from: number): number {
  return Math.min(head.length, lineEnd(head, from) + 2);
}

/** Written by hand: a regular expression takes quadratic time on a hostile value. */
function trimmed(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
