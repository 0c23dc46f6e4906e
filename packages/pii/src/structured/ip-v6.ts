// IPv6 addresses, including compressed ones and those that end in an IPv4 address. Times, MAC addresses and C++ paths are excluded.
import { isDigit, isHex, isWordPart } from '../characters.ts';
import { IP } from '../context/cue-words.ts';
import { findCues } from '../context/cues.ts';
import type { Candidate, Rule, Scanned } from '../rule.ts';

const COLON = 58;
const DOT = 46;
const LONGEST = 45;
const RELEVANT = IP;

export const ipV6: Rule = {
  types: ['IP Address'],
  find(scanned) {
    const { text, gates } = scanned;
    if (gates.colons < 2) return [];
    const found: Candidate[] = [];
    let at = text.indexOf(':');
    while (at !== -1) {
      const { start, end } = tokenAround(text, at);
      const candidate = judge(scanned, start, end);
      if (candidate) found.push(candidate);
      at = text.indexOf(':', Math.max(end, at + 1));
    }
    return found;
  },
};

/** The hexadecimal digits and colons around a colon, with dots and digits at the end. */
function tokenAround(text: string, colon: number): { start: number; end: number } {
  let start = colon;
  while (start > 0 && colon - start < 5 && isHex(text.charCodeAt(start - 1))) start--;
  let end = colon + 1;
  while (isHex(text.charCodeAt(end)) || text.charCodeAt(end) === COLON) end++;
  while (text.charCodeAt(end) === DOT && isDigit(text.charCodeAt(end + 1))) {
    end++;
    while (isDigit(text.charCodeAt(end))) end++;
  }
  if (text.charCodeAt(end - 1) === COLON && text.charCodeAt(end - 2) !== COLON) end--; // a colon after the address
  return { start, end };
}

function judge(scanned: Scanned, start: number, end: number): Candidate | undefined {
  const { text } = scanned;
  if (end - start < 3 || end - start > LONGEST) return undefined;
  if (isWordPart(text.charCodeAt(start - 1)) || isWordPart(text.charCodeAt(end)) || text.charCodeAt(start - 1) === COLON) return undefined;
  const token = text.slice(start, end);
  const groups = parseGroups(token);
  if (!groups || isSlice(text, start)) return undefined;
  const score = scoreAddress(token, groups);
  const cues = findCues(scanned, { start, end }, RELEVANT);
  const isNamed = ((cues.key | cues.before) & IP) !== 0;
  if (score < 0.5 && !isNamed) return undefined;
  return { type: 'IP Address', start, end, score: isNamed ? 0.95 : score };
}

/** The groups of a valid address; undefined for anything else. */
function parseGroups(token: string): string[] | undefined {
  const halves = token.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const hasV4 = last.includes('.');
  if (hasV4 && !isV4(last)) return undefined;
  const named = hasV4 ? groups.slice(0, -1) : groups;
  if (named.some((group) => group === '' || group.length > 4 || group.includes('.'))) return undefined;
  const count = groups.length + (hasV4 ? 1 : 0);
  return (halves.length === 2 ? count < 8 : count === 8) ? groups : undefined;
}

function isV4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => part.length > 0 && part.length < 4 && Number(part) < 256);
}

/** `::`, `a::b` and `::2` are more often code. Eight pairs are a hardware address. Letters alone are words. */
function scoreAddress(token: string, groups: string[]): number {
  if (token === '::1') return 0.6;
  if (groups.length === 8 && groups.every((group) => group.length === 2)) return 0.3;
  const digits = token.replace(/\D/g, '').length;
  if (digits === 0 || token.length < 6) return 0.3;
  return groups.length < 3 && digits < 3 ? 0.4 : 0.9;
}

/** Whether it is a Python slice: `items[::2]`. */
const isSlice = (text: string, start: number) =>
  text.charCodeAt(start - 1) === 91 && start > 1 && (isWordPart(text.charCodeAt(start - 2)) || text.charCodeAt(start - 2) === 93);
