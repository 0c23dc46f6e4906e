import { isUtf8 } from 'node:buffer';
import type { Json, JsonObject } from './canonical.ts';
import { Malformed } from './failures.ts';

const maxDepth = 1000;
const [quote, backslash, colon, minus] = ['"', '\\', ':', '-'].map((sign) => sign.charCodeAt(0)) as [number, number, number, number];
const [openList, closeList, openObject, closeObject] = ['[', ']', '{', '}'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];

/** The object of one line. Throws `Malformed` for anything that two JSON readers could interpret differently. */
export function parseLine(line: Buffer): JsonObject {
  if (!isUtf8(line)) throw new Malformed('The line is not UTF-8.');
  const text = line.toString('utf8');
  const members = scan(text);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new Malformed('The line is not JSON.');
  }
  if (!isObject(value)) throw new Malformed('The line is not a JSON object.');
  // JSON.parse keeps the last of several members with the same name, so the value then has fewer members than the text.
  if (countMembers(value) !== members) throw new Malformed('A name stands twice in an object.');
  return value;
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Counts the members of all objects, and checks depth and numbers. JSON.parse refuses the rest. */
function scan(text: string): number {
  let [members, depth] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at);
    else if (code === colon) members += 1;
    else if (code === openObject || code === openList) {
      depth += 1;
      if (depth > maxDepth) throw new Malformed(`Values are nested more than ${maxDepth} deep.`);
    } else if (code === closeObject || code === closeList) depth -= 1;
    else if (code === minus || isDigit(code)) {
      const end = endOfNumber(text, at);
      refuseStrangeNumber(text.slice(at, end));
      at = end - 1;
    }
  }
  return members;
}

/** The place of the closing quote, or the end of the text. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isPartOfNumber(text.charCodeAt(at))) at += 1;
  return at;
}

const isDigit = (code: number) => code >= 48 && code <= 57;
/** Digits and `+ - . E e`. */
const isPartOfNumber = (code: number) => isDigit(code) || code === 43 || code === minus || code === 46 || code === 69 || code === 101;

/** A number that is not written as ECMAScript writes it may have another value for another reader. */
function refuseStrangeNumber(token: string) {
  if (token.length > 32 || String(Number(token)) !== token)
    throw new Malformed('A number does not stand there as ECMAScript writes it, so that it may be read as two numbers.');
}

function countMembers(value: JsonObject): number {
  const waiting: Json[] = [value];
  let members = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) members += inner.length;
    for (const each of inner) if (typeof each === 'object' && each !== null) waiting.push(each);
  }
  return members;
}
