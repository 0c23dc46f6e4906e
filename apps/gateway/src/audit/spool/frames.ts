import { crc32 } from 'node:zlib';

/** Header: length of the record (4 bytes), CRC32 of the rest of the frame (4), number of the record (6). The record, a line of JSON, follows. */
const headerBytes = 14;
const crcFrom = 8;

/** Buffer of frames that are written together. */
export class Frames {
  #out = Buffer.allocUnsafeSlow(64 * 1024);
  #length = 0;
  count = 0;

  get bytes(): Buffer {
    return this.#out.subarray(0, this.#length);
  }

  add(number: number, line: string): void {
    const from = this.#length;
    // A UTF-16 unit takes at most 3 bytes of UTF-8.
    const most = from + headerBytes + 3 * line.length;
    if (most > this.#out.length) this.#grow(most);
    const out = this.#out;
    const length = out.write(line, from + headerBytes, 'utf8');
    const end = from + headerBytes + length;
    out.writeUInt32LE(length, from);
    out.writeUIntLE(number, from + crcFrom, 6);
    out.writeUInt32LE(crc32(out.subarray(from + crcFrom, end)), from + 4);
    this.#length = end;
    this.count += 1;
  }

  clear(): void {
    this.#length = 0;
    this.count = 0;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(2 * needed);
    this.#out.copy(grown, 0, 0, this.#length);
    this.#out = grown;
  }
}

export interface Lines {
  /** The records, each followed by a line feed. They overwrite the frames in the same buffer. */
  lines: Buffer;
  count: number;
  /** The number of the last record. */
  last: number;
  /** Bytes of complete frames, including skipped ones. */
  used: number;
}

/** Reads complete frames with numbers above `after`, at most `maxCount`. Stops at a truncated or corrupt frame. */
export function readFrameLines(bytes: Buffer, { after, maxCount }: { after: number; maxCount: number }): Lines {
  let used = 0;
  let written = 0;
  let count = 0;
  let last = after;
  while (count < maxCount && used + headerBytes <= bytes.length) {
    const end = used + headerBytes + bytes.readUInt32LE(used);
    if (end > bytes.length || crc32(bytes.subarray(used + crcFrom, end)) !== bytes.readUInt32LE(used + 4)) break;
    const number = bytes.readUIntLE(used + crcFrom, 6);
    const from = used + headerBytes;
    used = end;
    if (number <= last) continue;
    bytes.copyWithin(written, from, end);
    written += end - from;
    // The frame's header leaves room for the line feed.
    bytes[written] = 0x0a;
    written += 1;
    count += 1;
    last = number;
  }
  return { lines: bytes.subarray(0, written), count, last, used };
}
