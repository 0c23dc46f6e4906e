// The context of the words of a possible name.
import type { Word } from './capital-words.ts';

/** Whether a number makes it a street: "Joaquin Suarez 2906", "12 Stubengraben". */
export function isBesideNumber(text: string, start: number, end: number): boolean {
  const isDigit = (at: number) => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;
  const isGap = (at: number) => text[at] === ' ' || text[at] === '-' || text[at] === '/';
  return (isGap(end) && isDigit(end + 1)) || (isGap(start - 1) && isDigit(start - 2));
}

const farewells =
  /(?:^|[^A-Za-z])(?:best|regards|cheers|thanks|thx|sincerely|love|gr[uü](?:ß|ss|[sß]e)|cordialement|merci|saludos|gracias|saluti|grazie|groet(?:en|jes)?|abra[cç]os?|obrigad[oa])[,!.]? $/i;

/** Whether these are the last words of a line, after a farewell or a dash: "Cheers, Bronwyn", "… last month. – Alice". */
export function isSignature(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(end);
  if (end < text.length && code !== 10 && code !== 13) return false;
  if (start > 0 && !' \n-–—'.includes(text[start - 1]!)) return false;
  const before = text.slice(Math.max(0, start - 16), start);
  return (
    (/(?:^|[\n.!?] ?)[-–—]{1,2} ?$/.test(before) && !isItem(text, start, end)) || farewells.test(before) || isLastLine(text, start, end)
  );
}

const maxItem = 160;

/** Whether the line is a list item, so that another line begins with the same sign. */
function isItem(text: string, start: number, end: number): boolean {
  const begin = text.slice(Math.max(0, start - 4), start).lastIndexOf('\n') + 1;
  const line = begin === 0 ? 0 : Math.max(0, start - 4) + begin;
  if (begin === 0 && start > 4) return false;
  const sign = text[line];
  if (text.slice(end, end + 4).trimStart()[0] === sign) return true;
  const before = text.slice(Math.max(0, line - maxItem), line).trimEnd();
  return before[before.lastIndexOf('\n') + 1] === sign;
}

/** Whether the line ends a letter and is one word: "Tracking says delivered.\nWalt". */
function isLastLine(text: string, start: number, end: number): boolean {
  return (
    /[.!?]\s{0,3}\n$/.test(text.slice(Math.max(0, start - 5), start)) && text.slice(end, end + 5).trim() === '' && end + 5 > text.length
  );
}

const acts =
  /(?:said|says|told|asked|replied|wrote|writes|shouted|lives|lived|resides|works|worked|joined|moved|thinks|thought|wants|wanted|spoke|called|signed|answered|agreed|complained|requested|married|died|smiled|laughed|whispered|reported that|will be|wohnt|sagt|sagte|arbeitet|habite|travaille|vive|dijo|trabaja|abita|lavora|mora|disse|woont|zei|werkt)(?![a-z])/y;

/** "Obi told reporters", "Mokoena lives in …". */
export function actsLikePerson(text: string, end: number): boolean {
  if (text.charCodeAt(end) !== 32) return false;
  acts.lastIndex = end + 1;
  return acts.test(text);
}

const personWords =
  /(?:^|[^A-Za-z])(?:by|add|contact|ask|tell|call|met|meet|under|producer|starring|told|email|named|singer|actor|actress|director|writer|author|founder|ceo|engineer|analyst|colleague|it's|remove|invite|cc|assign|invited|hired|featuring|signed|witness|between) $/i;
/** Whether a verb for persons precedes: only persons are asked, met or called. */
export const isAfterPersonWord = (text: string, start: number) => personWords.test(text.slice(Math.max(0, start - 14), start));

/** Whether a verb of speech precedes: "…, says Bergqvist." */
export const isSpeaker = (text: string, start: number) =>
  /(?:says|said|asked|replied|wrote) $/.test(text.slice(Math.max(0, start - 8), start));

export const isPossessive = (text: string, word: Word) =>
  text.charCodeAt(word.end + 1) === 115 && (text[word.end] === "'" || text[word.end] === '’');

/** Whether the word begins a sentence, a line, a cell or the text, so that its capital is weak evidence. */
export function startsSentence(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && start - at < 6 && /[\s"'(*_>#-]/.test(text[at]!) && text[at] !== '\n') at--;
  return at < 0 || /[.!?:\n|;]/.test(text[at]!);
}
