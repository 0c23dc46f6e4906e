// IPv4 addresses, including loopback and unspecified ones. Four numbers with dots are a version if the text indicates it.
import { isLetter, isWordPart } from '../characters.ts';
import { CARD, IP, PHONE, VERSION } from '../context/cue-words.ts';
import { findCues, weigh } from '../context/cues.ts';
import { countOf, lengthOf, type Runs } from '../numbers/runs.ts';
import type { Candidate, Rule } from '../rule.ts';

const DOT = 46;
const SLASH = 47;
const SIDES = { own: IP, against: VERSION };
const RELEVANT = IP | VERSION | PHONE | CARD;

export const ipV4: Rule = {
  types: ['IP Address'],
  digits: 4,
  find(scanned) {
    const { text } = scanned;
    const { runs } = scanned.gates;
    const found: Candidate[] = [];
    for (let i = 0; i + 3 < countOf(runs); i++) {
      const last = endOfChain(text, runs, i);
      if (last - i === 3 && isAddress(text, runs, i)) {
        const [start, end] = [runs[2 * i]!, runs[2 * last + 1]!];
        const cues = findCues(scanned, { start, end }, RELEVANT);
        const score = weigh(pickBaseScore(text, runs, i), cues, SIDES);
        const isOther = cues.before & (PHONE | CARD) && cues.gap < 12;
        if (score > 0.2) found.push({ type: 'IP Address', start, end, score: isOther ? score - 0.2 : score });
      }
      i = last;
    }
    return found;
  },
};

/** The last run that is joined to the run before it by a single dot. */
function endOfChain(text: string, runs: Runs, first: number): number {
  let last = first;
  while (last + 1 < countOf(runs)) {
    const end = runs[2 * last + 1]!;
    const next = runs[2 * last + 2]!;
    if (next - end !== 1 || text.charCodeAt(end) !== DOT) return last;
    last++;
  }
  return last;
}

function isAddress(text: string, runs: Runs, first: number): boolean {
  for (let i = first; i < first + 4; i++) {
    const length = lengthOf(runs, i);
    if (length > 3 || Number(text.slice(runs[2 * i], runs[2 * i + 1])) > 255) return false;
    if (length > 1 && text[runs[2 * i]!] === '0') return false;
  }
  return isOpen(text, runs[2 * first]!) && isClosed(text, runs[2 * first + 7]!);
}

/** Excludes `v1.2.3.4`, `product/1.2.3.4`, `>=1.2.3.4` and parts of a word. */
function isOpen(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (isWordPart(before) && !(text.charCodeAt(start - 2) === 92 && (before === 110 || before === 116))) return false;
  const further = text.charCodeAt(start - 2);
  if (before === SLASH) return further === SLASH || !isWordPart(further);
  if (before === 45 || before === DOT) return !isWordPart(further);
  if (before === 61) return further !== 61 && further !== 62 && further !== 60 && further !== 126 && further !== 33; // == >= <= ~= !=
  return before !== 94 && before !== 126; // ^ ~
}

function isClosed(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  if (isWordPart(next)) return false;
  return next !== 45 || !isLetter(text.charCodeAt(end + 1)); // 1.2.3.4-rc1
}

/** Four single digits are more often a version or a section. */
function pickBaseScore(text: string, runs: Runs, first: number): number {
  const length = runs[2 * first + 7]! - runs[2 * first]!;
  if (length > 8) return 0.85;
  return length === 7 && text[runs[2 * first]!] !== '0' ? 0.6 : 0.7;
}
