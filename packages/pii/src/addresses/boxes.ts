import type { Street } from './number-first.ts';
import { readTail } from './tail.ts';

const box =
  /(?:^|[^A-Za-z])((?:G?P\.? ?O\.? ?Box|Post Office Box|Postfach|Postbus|Apartado(?: de Correos)?|Apdo\.?|Casella Postale|C\.P\.|Caixa Postal|Boîte Postale|B\.?P\.?|Locked Bag|Private Bag)(?: #| n[º°]| No\.)? )$/i;
const more = /(?: \d{2,4}){0,2}/y;

/** Reads "PO Box 3317, Tulsa, OK 74101"; `from` and `to` are the bounds of the number. */
export function postBox(text: string, from: number, to: number): Street | undefined {
  const before = text.charCodeAt(from - 2) | 32;
  // The last letter of "Box", "Postfach", "Postbus" …: a cheap test before the pattern.
  const isPossible = 'xhsoelpg.#º'.includes(String.fromCharCode(before)) || text[from - 2] === '.';
  if (text[from - 1] !== ' ' || !isPossible) return undefined;
  const found = box.exec(text.slice(Math.max(0, from - 26), from));
  if (!found) return undefined;
  const isShort = found[1]!.replace(/[^A-Za-z]/g, '').length < 3;
  const isGerman = /^postfach/i.test(found[1]!);
  more.lastIndex = to;
  const end = isGerman && more.test(text) ? more.lastIndex : to;
  const next = text.charCodeAt(end);
  if (isShort && next !== 44 && next !== 10 && next !== 32) return undefined;
  const tail = readTail(text, end);
  if (isShort && !tail.isConfirmed) return undefined;
  return { start: from - found[1]!.length, end: tail.end, score: tail.isConfirmed ? 0.95 : 0.8 };
}
