// Decides how the bytes of a body are decoded as text. The sender chooses the declared charset, so the bytes take precedence: a wrong
// declaration must not hide text that an agent reads all the same.
import { isUtf8 } from 'node:buffer';
import { hasBinary, isKnownCharset } from './body-text.ts';
import { decodeEscaped, encodeEscaped } from './escaped-utf8.ts';

export interface Pass {
  decode: (bytes: Buffer) => string;
  encode: (text: string) => Buffer;
  /**
   * Set if binary bytes lie around the text or between its characters. A mask is then as long as its value, because another length would break
   * the binary data. `apart`: binary bytes end a value; `joined`: they are skipped.
   */
  among?: 'apart' | 'joined' | undefined;
}

export interface Reading {
  /** Whether the bytes are text in a known encoding. */
  isText: boolean;
  /** Run one after the other: text with two possible decodings is scanned in both. */
  passes: Pass[];
}

type Wide = 'utf16le' | 'utf16be' | 'utf32le' | 'utf32be';

/** Number of bytes in which NULs are counted. */
const sampleBytes = 4096;

export function chooseReading(bytes: Buffer, charset: string): Reading {
  const wide = detectWideEncoding(bytes, charset);
  const wideText = wide && decodeWide(bytes, wide);
  if (wide && wideText !== undefined && wideText.isWellFormed() && !hasBinary(wideText))
    return {
      isText: true,
      passes: [{ decode: (one) => decodeWide(one, wide) ?? '', encode: (text) => encodeWide(text, wide) }, escapedPass('joined')],
    };
  const isKnown = isKnownCharset(charset);
  const hasNul = bytes.includes(0);
  if (isUtf8(bytes) && !hasNul) return { isText: isKnown, passes: [escapedPass()] };
  const isMixed = hasBinary(bytes.toString('latin1'));
  const latin1: Pass = {
    decode: (one) => one.toString('latin1'),
    encode: (text) => Buffer.from(text, 'latin1'),
    among: isMixed ? 'apart' : undefined,
  };
  const isDeclared = isKnown && charset !== '' && !charset.startsWith('utf') && !charset.endsWith('ascii');
  return { isText: isDeclared && !hasNul, passes: [latin1, escapedPass(isMixed ? 'joined' : undefined)] };
}

const escapedPass = (among?: 'joined'): Pass => ({ decode: decodeEscaped, encode: encodeEscaped, among });

/** Detects UTF-16 or UTF-32 by the byte order mark, by NULs at every second position, or by the declared charset. */
function detectWideEncoding(bytes: Buffer, charset: string): Wide | undefined {
  const head = bytes.toString('hex', 0, 4);
  if (head === 'fffe0000') return 'utf32le';
  if (head === '0000feff') return 'utf32be';
  if (head.startsWith('fffe')) return 'utf16le';
  if (head.startsWith('feff')) return 'utf16be';
  if (/^(?!00)..000000$/.test(head)) return 'utf32le';
  if (/^000000(?!00)..$/.test(head)) return 'utf32be';
  return byNuls(bytes) ?? declaredWide(charset);
}

function byNuls(bytes: Buffer): Wide | undefined {
  if (!bytes.includes(0)) return undefined;
  const nuls = [0, 0];
  const length = Math.min(bytes.length, sampleBytes);
  for (let at = 0; at < length; at++) if (bytes[at] === 0) nuls[at & 1]! += 1;
  const [even = 0, odd = 0] = nuls;
  if (even === 0 && odd > length / 16) return 'utf16le';
  return odd === 0 && even > length / 16 ? 'utf16be' : undefined;
}

function declaredWide(charset: string): Wide | undefined {
  const name = charset.replace(/[-_]/g, '');
  if (name === 'utf16' || name === 'utf16le' || name === 'ucs2' || name === 'unicode') return 'utf16le';
  if (name === 'utf16be') return 'utf16be';
  if (name === 'utf32' || name === 'utf32le') return 'utf32le';
  return name === 'utf32be' ? 'utf32be' : undefined;
}

/** Decodes UTF-16 or UTF-32; undefined for bytes that are not valid. */
function decodeWide(bytes: Buffer, wide: Wide): string | undefined {
  const width = wide.startsWith('utf16') ? 2 : 4;
  if (bytes.length % width !== 0) return undefined;
  if (width === 2) return (wide === 'utf16le' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const code = wide === 'utf32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    if (code > 0x10ffff) return undefined;
    text += String.fromCodePoint(code);
  }
  return text;
}

function encodeWide(text: string, wide: Wide): Buffer {
  if (wide === 'utf16le') return Buffer.from(text, 'utf16le');
  if (wide === 'utf16be') return Buffer.from(text, 'utf16le').swap16();
  const codes = Array.from(text, (one) => one.codePointAt(0)!);
  const bytes = Buffer.alloc(codes.length * 4);
  for (const [at, code] of codes.entries()) {
    if (wide === 'utf32le') bytes.writeUInt32LE(code, at * 4);
    else bytes.writeUInt32BE(code, at * 4);
  }
  return bytes;
}
