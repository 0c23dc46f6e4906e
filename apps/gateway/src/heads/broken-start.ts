import { CR, isBlank, LF, SPACE } from './characters.ts';

/**
 * Finds out at once, instead of at the time-out, that what has come of a request's head can't become a valid one: it does not begin with a
 * capital letter, or a bare CR or LF or a control character stands in it. Each byte is looked at once.
 */
export class BrokenStart {
  #seen = 0;
  #last = 0;

  isBroken(bytes: Buffer, from: number, to: number): boolean {
    for (let at = from + this.#seen; at < to; at++) {
      const byte = bytes[at]!;
      if (at === from && (byte < 65 || byte > 90)) return true;
      if ((byte === LF) !== (this.#last === CR)) return true;
      if (byte < SPACE && byte !== CR && byte !== LF && !isBlank(byte)) return true;
      this.#last = byte;
    }
    this.#seen = to - from;
    return false;
  }

  forget(): void {
    this.#seen = 0;
    this.#last = 0;
  }
}
