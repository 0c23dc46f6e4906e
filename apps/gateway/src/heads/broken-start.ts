import { CR, isBlank, LF, SPACE } from './characters.ts';

/**
 * Detects at once, instead of at the timeout, that the received part of a request's head cannot become a valid head: it does not begin with a
 * capital letter, or contains a bare CR or LF or a control character. Each byte is read once.
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
