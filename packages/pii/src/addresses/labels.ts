import type { Street } from './number-first.ts';

const labels = new Set(
  `address adress addr adresse anschrift wohnort dirección direccion domicilio indirizzo residenza morada endereço endereco adres street straße strasse
  residence line1`.split(/\s+/),
);
const window = 62;
const maxLabel = 12;
const line = /[^\n"|;<>\t]{1,100}/y;

/**
 * Reads "Address: 7714 County Road 12, Cedar Falls": the rest of the line after the label is the address. `from` is the start of a number.
 */
export function labelledAddress(text: string, from: number): Street | undefined {
  const colon = colonBefore(text, from);
  if (colon < 0) return undefined;
  let end = colon;
  while (end > 0 && colon - end < 3 && isBlankOrQuote(text.charCodeAt(end - 1))) end--;
  let word = end;
  while (word > 0 && end - word < maxLabel && isLetterOrDigit(text.charCodeAt(word - 1))) word--;
  if (!labels.has(text.slice(word, end).toLowerCase())) return undefined;
  let start = colon + 1;
  while (start < from && isBlankOrQuote(text.charCodeAt(start))) start++;
  line.lastIndex = start;
  if (!line.test(text)) return undefined;
  const value = text.slice(start, line.lastIndex).trimEnd();
  const isAddress = /^[A-ZÀ-Þ0-9#]/.test(value) && /[A-Za-zÀ-ſ]{3}/.test(value) && value.includes(' ') && !/[@{}]|\/\//.test(value);
  return isAddress ? { start, end: start + value.length, score: 0.6 } : undefined;
}

/** The colon or equals sign before the number on its line; -1 if there is none in the window. */
function colonBefore(text: string, from: number): number {
  for (let at = from - 1; at >= 0 && from - at < window; at--) {
    const code = text.charCodeAt(at);
    if (code === 58 || code === 61) return at;
    if (code === 10 || code === 124 || code === 59) return -1;
  }
  return -1;
}

const isBlankOrQuote = (code: number) => code === 32 || code === 34 || code === 39 || code === 9;
const isLetterOrDigit = (code: number) => ((code | 32) >= 97 && (code | 32) <= 122 ? true : code >= 0xc0 || (code >= 48 && code <= 57));
