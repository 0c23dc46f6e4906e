import { COLON, CR, kinds, LF, TOKEN, VALUE } from '../heads/characters.ts';
import { nextHash } from '../heads/names.ts';

/** Result of `read` for bytes that are not chunks, or that some readers would parse differently. */
export const BROKEN = -1;

// States of the parser.
const SIZE = 0;
const SIZE_LF = 1;
const EXTENSION_NAME = 2;
const EXTENSION_VALUE = 3;
const TEXT = 4;
const TEXT_ESCAPED = 5;
const AFTER_TEXT = 6;
const DATA = 7;
const DATA_CR = 8;
const DATA_LF = 9;
const TRAILER_START = 10;
const TRAILER_NAME = 11;
const TRAILER_VALUE = 12;
const TRAILER_LF = 13;
const LAST_LF = 14;
const DONE = 15;

const SEMICOLON = 59;
const EQUALS = 61;
const QUOTE = 34;
const BACKSLASH = 92;

/** Value of a byte that is not a digit: more than any digits add up to, also behind digits. */
const noDigit = 2 ** 24;
/** Value of each byte as a hexadecimal digit. */
const digits = Uint32Array.from({ length: 256 }, (_, byte) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());
  return digit < 0 ? noDigit : digit;
});

/** A size has at most this many digits, leading zeros too. */
const maxDigits = 12;

/**
 * Trailers that no sender may send (RFC 9110, 6.5.1) and that some readers treat as headers: for the framing of the message, or for the end
 * of the connection. They are matched by hash: another name with the same hash is refused as well, which is harmless.
 */
const refusedTrailers = ['content-length', 'transfer-encoding', 'connection', 'proxy-connection'];
const refusedHashes = new Set(refusedTrailers.map((name) => Buffer.from(name).reduce(nextHash, 0)));

/** Receives a run of the body's own bytes, which are valid only during the call. */
export type DataTaker = (bytes: Buffer, from: number, to: number) => void;

/**
 * Parses a chunked body. Sizes and data stay as they arrived, so that a whole read can be forwarded in one write; extensions and
 * trailers, which are legal and only concern the next hop, are validated and removed in the buffer itself.
 */
export class Chunks {
  /** Bytes that `read` left, starting at `from`, to be forwarded. */
  kept = 0;
  /** Bytes of the body itself in the last read. */
  data = 0;
  #state = SIZE;
  #left = 0;
  #digits = 0;
  #wholeEnd = 0;
  /** Length so far of the name or value of an extension. */
  #nameLength = 0;
  /** Hash so far of a trailer's name. */
  #nameHash = 0;
  /** Bytes of extensions and trailers so far, which are capped per body. */
  #extras = 0;
  readonly #maxExtras: number;
  readonly #keepsFraming: boolean;
  readonly #taker: DataTaker | undefined;

  /** `keepsFraming` false: sizes are removed as well, and only the body itself remains. */
  constructor(options: { maxExtras: number; keepsFraming?: boolean; taker?: DataTaker | undefined }) {
    this.#maxExtras = options.maxExtras;
    this.#keepsFraming = options.keepsFraming ?? true;
    this.#taker = options.taker;
  }

  get isDone(): boolean {
    return this.#state === DONE;
  }

  /** Reads bytes [from, to) until the body's end. Returns how many belong to the body, or BROKEN. */
  read(bytes: Buffer, from: number, to: number): number {
    let at = from;
    let write = from;
    this.data = 0;
    while (at < to && this.#state !== DONE) {
      const start = at;
      let keeps: number;
      if (this.#state === DATA) {
        at += this.#readData(bytes, at, to);
        keeps = at - start;
      } else if (this.#state === SIZE && this.#digits === 0 && (keeps = this.#readWhole(bytes, at, to)) > 0) {
        at = this.#wholeEnd;
      } else {
        keeps = this.#isKept(bytes[at]!) ? 1 : 0;
        if (!this.#step(bytes[at]!)) return BROKEN;
        at += 1;
      }
      move(bytes, start, { to: write, length: keeps });
      write += keeps;
    }
    this.kept = write - from;
    return at - from;
  }

  /**
   * Reads complete chunks with a short size and no extension in a few instructions each, because floods consist of them. Sets where
   * they end; returns how many of their bytes, starting at `from`, are kept.
   */
  #readWhole(bytes: Buffer, from: number, to: number): number {
    const taker = this.#taker;
    const keepsFraming = this.#keepsFraming;
    let at = from;
    let data = from;
    // The smallest chunk is '1', CR, LF, a byte, CR, LF.
    while (to - at > 5) {
      let size = digits[bytes[at]!]!;
      let sizeEnd = at + 1;
      for (; bytes[sizeEnd] !== CR && sizeEnd - at < 4; sizeEnd += 1) size = size * 16 + digits[bytes[sizeEnd]!]!;
      const begin = sizeEnd + 2;
      const end = begin + size;
      if (size === 0 || end + 2 > to || !isLineEnd(bytes, sizeEnd) || !isLineEnd(bytes, end)) break;
      if (taker !== undefined) taker(bytes, begin, end);
      if (!keepsFraming) move(bytes, begin, { to: data, length: size });
      data += size;
      at = end + 2;
    }
    this.data += data - from;
    this.#wholeEnd = at;
    return keepsFraming ? at - from : data - from;
  }

  #readData(bytes: Buffer, from: number, to: number): number {
    const used = Math.min(this.#left, to - from);
    this.#left -= used;
    this.data += used;
    if (this.#left === 0) this.#state = DATA_CR;
    this.#taker?.(bytes, from, from + used);
    return used;
  }

  /** Whether a byte outside the data is forwarded: only bytes of the plain framing are. */
  #isKept(byte: number): boolean {
    if (!this.#keepsFraming) return false;
    switch (this.#state) {
      case SIZE:
        return byte !== SEMICOLON;
      case EXTENSION_NAME:
      case EXTENSION_VALUE:
      case AFTER_TEXT:
        return byte === CR;
      case SIZE_LF:
      case DATA_CR:
      case DATA_LF:
      case LAST_LF:
        return true;
      case TRAILER_START:
        return byte === CR;
      default:
        return false;
    }
  }

  /** Consumes one byte outside the data; false if it is not allowed there. */
  #step(byte: number): boolean {
    switch (this.#state) {
      case SIZE:
        return this.#stepSize(byte);
      case SIZE_LF:
        this.#digits = 0;
        this.#state = this.#left === 0 ? TRAILER_START : DATA;
        return byte === LF;
      case DATA_CR:
        this.#state = DATA_LF;
        return byte === CR;
      case DATA_LF:
        this.#state = SIZE;
        return byte === LF;
      case LAST_LF:
        this.#state = DONE;
        return byte === LF;
      default:
        this.#extras += 1;
        if (this.#extras > this.#maxExtras) return false;
        return this.#state >= TRAILER_START ? this.#stepTrailer(byte) : this.#stepExtension(byte);
    }
  }

  #stepSize(byte: number): boolean {
    const digit = digits[byte]!;
    if (digit !== noDigit) {
      this.#left = this.#left * 16 + digit;
      this.#digits += 1;
      return this.#digits <= maxDigits;
    }
    if (byte === SEMICOLON) this.#state = EXTENSION_NAME;
    else if (byte === CR) this.#state = SIZE_LF;
    else return false;
    return this.#digits > 0;
  }

  /** `;name`, `;name=token` or `;name="text"`, without whitespace in between, as strict parsers require. */
  #stepExtension(byte: number): boolean {
    switch (this.#state) {
      case TEXT:
        if (byte === QUOTE) this.#state = AFTER_TEXT;
        else if (byte === BACKSLASH) this.#state = TEXT_ESCAPED;
        return (kinds[byte]! & VALUE) !== 0;
      case TEXT_ESCAPED:
        this.#state = TEXT;
        return (kinds[byte]! & VALUE) !== 0;
      case AFTER_TEXT:
        return this.#endExtension(byte);
      default:
    }
    if ((kinds[byte]! & TOKEN) !== 0) {
      this.#nameLength += 1;
      return true;
    }
    if (this.#state === EXTENSION_VALUE && byte === QUOTE && this.#nameLength === 0) {
      this.#state = TEXT;
      return true;
    }
    if (this.#nameLength === 0) return false;
    if (this.#state === EXTENSION_NAME && byte === EQUALS) {
      this.#state = EXTENSION_VALUE;
      this.#nameLength = 0;
      return true;
    }
    return this.#endExtension(byte);
  }

  #endExtension(byte: number): boolean {
    this.#nameLength = 0;
    if (byte === SEMICOLON) this.#state = EXTENSION_NAME;
    else this.#state = SIZE_LF;
    return byte === SEMICOLON || byte === CR;
  }

  #stepTrailer(byte: number): boolean {
    switch (this.#state) {
      case TRAILER_START:
        this.#state = byte === CR ? LAST_LF : TRAILER_NAME;
        this.#nameHash = nextHash(0, lowerCase(byte));
        return byte === CR || (kinds[byte]! & TOKEN) !== 0;
      case TRAILER_NAME:
        if (byte !== COLON) {
          this.#nameHash = nextHash(this.#nameHash, lowerCase(byte));
          return (kinds[byte]! & TOKEN) !== 0;
        }
        this.#state = TRAILER_VALUE;
        return !refusedHashes.has(this.#nameHash);
      case TRAILER_VALUE:
        if (byte === CR) this.#state = TRAILER_LF;
        return byte === CR || (kinds[byte]! & VALUE) !== 0;
      default:
        this.#state = TRAILER_START;
        return byte === LF;
    }
  }
}

const lowerCase = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

const isLineEnd = (bytes: Buffer, at: number): boolean => bytes[at] === CR && bytes[at + 1] === LF;

/** Moves bytes down unless they are already in place. */
function move(bytes: Buffer, from: number, { to, length }: { to: number; length: number }): void {
  if (to === from) return;
  if (length > 32) bytes.copyWithin(to, from, from + length);
  else for (let n = 0; n < length; n += 1) bytes[to + n] = bytes[from + n]!;
}
