import type { Candidate, Rule, Scanned } from '../rule.ts';
import { postBox } from './boxes.ts';
import { keyOfAddress } from './keys.ts';
import { labelledAddress } from './labels.ts';
import { englishStreet, type Street } from './number-first.ts';
import { streetFirst } from './street-first.ts';

const maxNumber = 5;
const minScore = 0.5;
const maxValue = 160;

/** Finds addresses: checks each number of a house or a box with the words around it, and the values under keys of addresses. */
export const addressRule: Rule = {
  types: ['Address'],
  find(scanned) {
    const { text, gates } = scanned;
    const byKey = valueOfKey(scanned);
    if (byKey) return [byKey];
    if (gates.digits === 0 || gates.digits === text.length) return [];
    return addressesIn(text, gates.runs);
  },
};

function addressesIn(text: string, runs: readonly number[]): Candidate[] {
  const found: Candidate[] = [];
  let end = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const from = runs[run]!;
    const to = runs[run + 1]!;
    if (to - from > maxNumber || from < end || isOfIdentifier(text, from, to)) continue;
    const street = best(labelledAddress(text, from), englishStreet(text, from, to), streetFirst(text, from, to), postBox(text, from, to));
    if (!street || street.score < minScore || street.start < end) continue;
    found.push({ type: 'Address', ...street });
    end = street.end;
  }
  return found;
}

/** Excludes "4bf92f35", "v12" and "0.12": a house number stands alone, with at most one letter after it. */
function isOfIdentifier(text: string, from: number, to: number): boolean {
  const before = text.charCodeAt(from - 1);
  const isEscapedLine = before === 110 && text.charCodeAt(from - 2) === 92;
  if ((isLetter(before) && !isEscapedLine) || before === 46 || before === 95 || before === 36) return true;
  if (!isLetter(text.charCodeAt(to))) return false;
  const next = text.charCodeAt(to + 1);
  return (next >= 48 && next <= 57) || (isLetter(next) && !ordinal.test(text.slice(to, to + 2)));
}

const ordinal = /^(?:st|nd|rd|th)$/;
const isLetter = (code: number) => ((code | 32) >= 97 && (code | 32) <= 122) || code >= 0xc0;

function best(...streets: (Street | undefined)[]): Street | undefined {
  let found: Street | undefined;
  for (const one of streets)
    if (one && (!found || one.score > found.score || (one.score === found.score && one.end > found.end))) found = one;
  return found;
}

function valueOfKey({ text, key, parent, isPerson }: Scanned): Candidate | undefined {
  if (key === undefined && parent === undefined) return undefined;
  const kind = keyOfAddress(key ?? parent!);
  if (kind === 'other' || text.length > maxValue) return undefined;
  const around = parent === undefined ? 'other' : keyOfAddress(parent);
  const value = text.trim();
  if (value.length < 2 || /[@{}=<>`]|:\/\/|^0x|\d\.\d{1,3}\.\d{1,3}\.\d/.test(value)) return undefined;
  const start = text.indexOf(value);
  const candidate = { type: 'Address' as const, start, end: start + value.length };
  if (kind === 'part') return around === 'address' && /[A-Za-zÀ-ſ0-9]/.test(value) ? { ...candidate, score: 0.6 } : undefined;
  const hasNumber = /\d/.test(value);
  const hasWords = /[A-Za-zÀ-ſ]{2}/.test(value) && value.includes(' ');
  if (hasNumber && hasWords) return { ...candidate, score: 0.85 };
  return hasWords && (isPerson || around === 'address') ? { ...candidate, score: 0.6 } : undefined;
}
