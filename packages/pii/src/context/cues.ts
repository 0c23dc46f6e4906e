// The evidence around a value. The nearest cue before the value decides; only if there is none, the words after it are read.
import { isCapital, isDigit, isLetter } from '../characters.ts';
import type { Scanned } from '../rule.ts';
import { CUES, OTHER_NUMBER, SECOND } from './cue-words.ts';
import { keyBits } from './keys.ts';

export interface Cues {
  /** Bits of `cue-words.ts` for the key. Zero if there is no key or it is not a cue. */
  key: number;
  /** Bits of the nearest cue before the value. */
  before: number;
  /** Characters between that cue and the value. */
  gap: number;
  /** Bits of the nearest cue after the value. */
  behind: number;
}

/** Characters examined before a value. */
const BEFORE = 64;
/** Characters examined after a value. */
const BEHIND = 32;
/** A value much longer than this is prose, and its key is weak evidence. */
const LONGEST_KEYED = 48;

/** The cues around a value. Only cues with `relevant` bits count, so that an irrelevant word does not hide a relevant one. */
export function findCues({ text, key, parent }: Scanned, { start, end }: { start: number; end: number }, relevant: number): Cues {
  const { bits, gap } = cueBefore(text, start, relevant);
  const behind = bits === 0 ? cueBehind(text, end, relevant) : 0;
  const isKeyed = key !== undefined && text.length <= Math.max(LONGEST_KEYED, 2 * (end - start));
  return { key: isKeyed ? keyBits(key, parent) : 0, before: bits, gap, behind };
}

/** A score from the base score of a shape and the cues around it. `own` are the bits that support it. */
export function weigh(base: number, cues: Cues, { own, against }: { own: number; against: number }): number {
  if (cues.key & own) return Math.min(0.98, base + 0.6);
  let score = base;
  if (cues.key & against) score -= 0.4;
  if (cues.before & own) score += 0.4;
  else if (cues.before & against) score -= 0.4;
  else if (cues.before === 0 && cues.behind & own) score += 0.35;
  else if (cues.before === 0 && cues.behind & OTHER_NUMBER & against) score -= 0.2;
  return Math.min(0.98, score);
}

/** Reads backwards from the value. The first relevant word decides. */
function cueBefore(text: string, start: number, relevant: number): { bits: number; gap: number } {
  const first = Math.max(0, start - BEFORE);
  let at = start;
  while (at > first) {
    if (!isLetter(text.charCodeAt(at - 1))) {
      at--;
      continue;
    }
    const end = at;
    at = startOfWord(text, end, first);
    const word = text.slice(at, end).toLowerCase();
    let bits = CUES.get(word) ?? 0;
    if (bits & SECOND) bits = CUES.get(`${wordBefore(text, at, first)} ${word}`) ?? bits;
    if (bits & relevant) return { bits: bits & relevant, gap: start - end };
  }
  return NONE;
}

const NONE = { bits: 0, gap: 0 };

function wordBefore(text: string, at: number, first: number): string {
  let end = at;
  while (end > first && !isLetter(text.charCodeAt(end - 1))) end--;
  return text.slice(startOfWord(text, end, first), end).toLowerCase();
}

/** Splits `clientIp` into two words. */
function startOfWord(text: string, end: number, first: number): number {
  let start = end - 1;
  while (start > first && isLetter(text.charCodeAt(start - 1)) && !beginsHump(text, start)) start--;
  return start;
}

/** The bits of the words after a value, up to the end of the clause or to the next number. */
export function cueBehind(text: string, end: number, relevant: number): number {
  const last = Math.min(text.length, end + BEHIND);
  let before = '';
  for (let at = end; at < last; ) {
    const code = text.charCodeAt(at);
    if (!isLetter(code)) {
      if (isDigit(code) || ENDS_CLAUSE.has(code)) return 0;
      at++;
      continue;
    }
    const start = at++;
    while (at < last && isLetter(text.charCodeAt(at)) && !beginsHump(text, at)) at++;
    const word = text.slice(start, at).toLowerCase();
    let bits = CUES.get(word) ?? 0;
    if (bits & SECOND) bits = CUES.get(`${before} ${word}`) ?? bits;
    if (bits & relevant) return isLabel(text, at) ? 0 : bits & relevant;
    before = word;
  }
  return 0;
}

const ENDS_CLAUSE = new Set([10, 44, 59, 123, 125]); // line feed , ; { }

/** Whether a capital after a lower-case letter begins a word within an identifier. */
function beginsHump(text: string, at: number): boolean {
  return isCapital(text.charCodeAt(at)) && !isCapital(text.charCodeAt(at - 1));
}

/** Whether `: ` or `=` after a word makes it a label of the text that follows. */
function isLabel(text: string, end: number): boolean {
  const code = text.charCodeAt(text.charCodeAt(end) === 32 || text.charCodeAt(end) === 34 ? end + 1 : end);
  return code === 58 || code === 61 || code === 35;
}
