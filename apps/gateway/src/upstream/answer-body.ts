import type { Limits } from '../limits.ts';
import { BrokenAnswer } from './broken-answer.ts';

/** Finds the end of one body. `read` hands on what belongs to it and returns how many bytes of the piece it used. */
export interface BodyReader {
  read: (piece: Buffer, take: (piece: Buffer) => void) => number;
  isComplete: () => boolean;
  endsWithConnection: boolean;
}

export function sizedBody(length: number): BodyReader {
  let left = length;
  return {
    read(piece, take) {
      const used = Math.min(left, piece.length);
      left -= used;
      if (used > 0) take(used === piece.length ? piece : piece.subarray(0, used));
      return used;
    },
    isComplete: () => left === 0,
    endsWithConnection: false,
  };
}

export function untilCloseBody(): BodyReader {
  return {
    read(piece, take) {
      if (piece.length > 0) take(piece);
      return piece.length;
    },
    isComplete: () => false,
    endsWithConnection: true,
  };
}

// A size and extensions: `;name`, `;name=token` or `;name="text"`, with no blanks between, as a strict client reads them.
const sizeLine =
  /^([0-9a-fA-F]{1,12})(?:;[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/;

/** Chunks are taken apart; extensions and trailers are checked for form and thrown away. */
export function chunkedBody(limits: Limits): BodyReader {
  let state: 'size' | 'data' | 'data-end' | 'trailer' | 'done' = 'size';
  let left = 0;
  let line = '';
  let trailerBytes = 0;

  return { read, isComplete: () => state === 'done', endsWithConnection: false };

  function read(piece: Buffer, take: (piece: Buffer) => void): number {
    let at = 0;
    while (at < piece.length && state !== 'done') {
      if (state !== 'data') {
        at = readLine(piece, at);
        continue;
      }
      const used = Math.min(left, piece.length - at);
      left -= used;
      take(piece.subarray(at, at + used));
      at += used;
      if (left === 0) state = 'data-end';
    }
    return at;
  }

  function readLine(piece: Buffer, from: number): number {
    const lf = piece.indexOf(10, from);
    const end = lf < 0 ? piece.length : lf + 1;
    line += piece.toString('latin1', from, end);
    if (line.length > limits.chunkLineBytes) throw new BrokenAnswer('chunk line too long');
    if (lf < 0) return end;
    const whole = line;
    line = '';
    if (!whole.endsWith('\r\n')) throw new BrokenAnswer('bare line feed between chunks');
    acceptLine(whole.slice(0, -2));
    return end;
  }

  function acceptLine(text: string): void {
    if (state === 'size') {
      const size = sizeLine.exec(text);
      if (!size) throw new BrokenAnswer('not a chunk size');
      left = Number.parseInt(size[1]!, 16);
      state = left === 0 ? 'trailer' : 'data';
    } else if (state === 'data-end') {
      if (text !== '') throw new BrokenAnswer('chunk longer than its size');
      state = 'size';
    } else {
      trailerBytes += text.length;
      if (trailerBytes > limits.chunkLineBytes) throw new BrokenAnswer('trailers too long');
      if (text === '') state = 'done';
      else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/.test(text)) throw new BrokenAnswer('not a trailer line');
    }
  }
}
