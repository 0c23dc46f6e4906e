// Addresses with spelled signs: `name [at] example [dot] com`, `name(at)example.com`; `name at example dot com` only beside a cue.
import { inSmallLetters, isWordPart } from '../../characters.ts';
import { EMAIL } from '../../context/cue-words.ts';
import { findCues } from '../../context/cues.ts';
import type { Candidate, Scanned } from '../../rule.ts';

const AT = ['[at]', '(at)', '{at}', '<at>', '[ at ]', '( at )', '[@]', '(@)'];
const DOTS = ['[dot]', '(dot)', '{dot}', '<dot>', '[ dot ]', '( dot )', ' dot ', '[.]', '(.)', '.'];
const LONGEST_WORD = 64;
/** Length of `a at b dot io`. */
const SHORTEST = 13;
const MOST_LABELS = 4;
/** Top-level domains that are accepted after a spelled dot. */
const TOPS = new Set(
  'com org net edu gov io co info biz dev app ai me us uk ca au de at ch fr es it pt br nl be eu ie in jp se no dk fi pl'.split(' '),
);

export function findSpelled(scanned: Scanned): Candidate[] {
  const { text, gates } = scanned;
  const found: Candidate[] = [];
  if (gates.marks > 0 && hasBrackets(text)) for (const sign of AT) collect(scanned, sign, found);
  if (text.length >= SHORTEST && text.includes(' dot ')) collect(scanned, ' at ', found);
  return found;
}

const hasBrackets = (text: string) =>
  text.includes('at]') || text.includes('at)') || text.includes('at ') || text.includes('@]') || text.includes('@)');

function collect(scanned: Scanned, sign: string, found: Candidate[]): void {
  const { text } = scanned;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + sign.length)) {
    const isBare = sign === ' at ';
    const start = wordBefore(text, at, !isBare);
    const end = start === undefined ? undefined : domainBehind(text, at + sign.length, isBare);
    if (start === undefined || end === undefined) continue;
    if (isBare && !(findCues(scanned, { start, end }, EMAIL).before & EMAIL)) continue;
    found.push({ type: 'Email', start, end, score: isBare ? 0.7 : 0.85 });
  }
}

const IN_NAME = '.+-';

/** The local part: one word, whose dots may be spelled. */
function wordBefore(text: string, at: number, maySpace: boolean): number | undefined {
  let end = at;
  if (maySpace && text[end - 1] === ' ') end--;
  let start = end;
  for (let labels = 0; labels < MOST_LABELS; labels++) {
    const labelEnd = start;
    while (start > end - LONGEST_WORD && start > 0 && (isWordPart(text.charCodeAt(start - 1)) || IN_NAME.includes(text[start - 1]!)))
      start--;
    if (start === labelEnd) return labels === 0 ? undefined : labelEnd;
    const dot = DOTS.find((one) => text.endsWith(one, start));
    if (dot === undefined || dot === '.') return start;
    start -= dot.length;
  }
  return start;
}

/** The end of one to four labels with spelled dots, the last of which is a known top-level domain. */
function domainBehind(text: string, from: number, mustSpell: boolean): number | undefined {
  let at = !mustSpell && text[from] === ' ' ? from + 1 : from;
  let hasSpelled = false;
  let end: number | undefined;
  for (let labels = 0; labels <= MOST_LABELS; labels++) {
    const start = at;
    while (at < start + LONGEST_WORD && (isWordPart(text.charCodeAt(at)) || text[at] === '-')) at++;
    if (at === start) return end;
    if (labels > 0 && TOPS.has(inSmallLetters(text.slice(start, at))) && (hasSpelled || !mustSpell)) end = at;
    const dot = DOTS.find((one) => text.startsWith(one, at) || (one !== '.' && text.startsWith(` ${one} `, at)));
    if (dot === undefined) return end;
    hasSpelled ||= dot !== '.';
    at += text.startsWith(dot, at) ? dot.length : dot.length + 2;
  }
  return end;
}
