// Lossless UTF-8 decoding: a byte that belongs to no character becomes a lone surrogate (U+DC80 to U+DCFF), which valid text never contains.
import { isUtf8 } from 'node:buffer';

const MISSING = -1;

export function decodeEscaped(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  const { text, used } = decodePart(bytes);
  let rest = '';
  for (let at = used; at < bytes.length; at++) rest += escaped(bytes[at]!);
  return text + rest;
}

export function encodeEscaped(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/[\udc80-\udcff]/gu)) {
    pieces.push(Buffer.from(text.slice(from, index)), Buffer.from([text.charCodeAt(index) & 0xff]));
    from = index + 1;
  }
  return from === 0 ? Buffer.from(text) : Buffer.concat([...pieces, Buffer.from(text.slice(from))]);
}

/** Decodes a stream. */
export class EscapedDecoder {
  /** Whether a byte so far belonged to no character. */
  hasEscaped = false;
  #rest = Buffer.alloc(0);

  write(bytes: Buffer): string {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const { text, used, hasEscaped } = decodePart(all);
    this.hasEscaped ||= hasEscaped;
    this.#rest = Buffer.from(all.subarray(used));
    return text;
  }

  end(): string {
    this.hasEscaped ||= this.#rest.length > 0;
    const text = decodeEscaped(this.#rest);
    this.#rest = Buffer.alloc(0);
    return text;
  }
}

/** Decodes all but an incomplete character at the end, of at most three bytes. */
function decodePart(bytes: Buffer): { text: string; used: number; hasEscaped: boolean } {
  if (isUtf8(bytes)) return { text: bytes.toString(), used: bytes.length, hasEscaped: false };
  let text = '';
  let from = 0;
  let at = 0;
  let hasEscaped = false;
  while (at < bytes.length) {
    const width = bytes[at]! < 0x80 ? 1 : measureCharacter(bytes, at);
    if (width === MISSING) break;
    if (width > 0) {
      at += width;
      continue;
    }
    hasEscaped = true;
    text += bytes.toString('utf8', from, at) + escaped(bytes[at]!);
    at += 1;
    from = at;
  }
  return { text: text + bytes.toString('utf8', from, at), used: at, hasEscaped };
}

const escaped = (byte: number) => String.fromCharCode(0xdc00 + byte);

/** Length in bytes of the character that begins at `at`; 0 if there is none, MISSING if bytes end before it does. */
function measureCharacter(bytes: Buffer, at: number): number {
  const lead = bytes[at]!;
  const width = lengthFrom(lead);
  if (width === 0) return 0;
  for (let n = 1; n < width; n++) {
    const byte = bytes[at + n];
    if (byte === undefined) return MISSING;
    if ((byte & 0xc0) !== 0x80) return 0;
    if (n === 1 && !isSecond(lead, byte)) return 0;
  }
  return width;
}

function lengthFrom(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Whether the second byte is valid: no overlong form, no surrogate, nothing beyond Unicode. */
function isSecond(lead: number, byte: number): boolean {
  if (lead === 0xe0) return byte >= 0xa0;
  if (lead === 0xed) return byte < 0xa0;
  if (lead === 0xf0) return byte >= 0x90;
  return lead !== 0xf4 || byte < 0x90;
}
