// E-mail addresses, found by their @.
//
// Excluded: git@host:path, a package with its version (@scope/name@1.2.3), the password in a URL, a high-density image (logo@2x.png),
// a systemd unit.
import { collectCodes, isLetter, isWordPart } from '../../characters.ts';
import type { Candidate, Rule } from '../../rule.ts';
import { endOfDomain } from './domain.ts';
import { findSpelled } from './spelled.ts';

const LONGEST_LOCAL = 64;
const QUOTE = 34;
const IN_LOCAL = collectCodes("._%+-'");

export const email: Rule = {
  types: ['Email'],
  find(scanned) {
    const { text, gates } = scanned;
    const found: Candidate[] = gates.ats > 0 ? findAround(text, '@') : [];
    if (gates.marks > 0 && text.includes('%40')) found.push(...findAround(text, '%40'));
    found.push(...findSpelled(scanned));
    return found;
  },
};

function findAround(text: string, sign: '@' | '%40'): Candidate[] {
  const found: Candidate[] = [];
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + sign.length)) {
    const start = startOfLocal(text, at);
    if (start === at) continue;
    const end = endOfDomain(text, at + sign.length);
    if (end === undefined || isSomethingElse(text, start, { at, end })) continue;
    found.push({ type: 'Email', start, end, score: 0.95 });
  }
  return found;
}

/** The start of the part before the @; the position of the @ if there is none. */
function startOfLocal(text: string, at: number): number {
  if (text.charCodeAt(at - 1) === QUOTE) return startOfQuoted(text, at);
  const first = Math.max(0, at - LONGEST_LOCAL);
  let start = at;
  while (start > first) {
    const code = text.charCodeAt(start - 1);
    if (!isWordPart(code) && !IN_LOCAL.has(code)) break;
    if (code === 46 && text.charCodeAt(start) === 46) break; // an ellipsis before the address
    if (code === 37 && text.charCodeAt(start) !== 50) {
      // %2B, an escaped plus, is the only URL escape that is part of an address
      start += 2;
      break;
    }
    start--;
  }
  while (start < at && !isWordPart(text.charCodeAt(start))) start++;
  return Math.min(start, at);
}

/** `"john doe"@example.com` */
function startOfQuoted(text: string, at: number): number {
  const open = text.lastIndexOf('"', at - 2);
  if (open < 0 || at - open > LONGEST_LOCAL) return at;
  for (let i = open + 1; i < at - 1; i++) if (!isLetter(text.charCodeAt(i)) && !' ._-+@'.includes(text[i]!)) return at;
  return at - open > 2 ? open : at;
}

function isSomethingElse(text: string, start: number, { at, end }: { at: number; end: number }): boolean {
  const local = text.slice(start, at);
  if (VERSION_CONTROL.has(local) && text[end] === ':') return true;
  return isInUserInfo(text, start, end);
}

const VERSION_CONTROL = new Set(['git', 'hg', 'svn']);

/** `https://user:password@host`: there is no slash and no question mark between the scheme and the address. */
function isInUserInfo(text: string, start: number, end: number): boolean {
  const first = Math.max(0, start - LONGEST_LOCAL);
  for (let at = start - 1; at >= first; at--) {
    const one = text[at]!;
    if (one === '/') return text[at - 1] === '/' && text[at - 2] === ':' && text[end] !== '?';
    if (one === '?' || one === '=' || one === '&' || one === ' ' || one === '\n' || one === '"') return false;
  }
  return false;
}
