const HEAD = 0;
const LENGTH = 1;
const MASK = 2;
const PAYLOAD = 3;

/** Follows the frames of one direction of a WebSocket, to know when the gateway may insert a frame of its own. */
export class FrameFollower {
  #state = HEAD;
  /** Remaining bytes of the current state; for HEAD 2 at a frame's beginning. */
  #left = 2;
  #isMasked = false;
  #length = 0;

  get isBetweenFrames(): boolean {
    return this.#state === HEAD && this.#left === 2;
  }

  read(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; ) {
      if (this.isBetweenFrames) at = passSmall(bytes, at, to);
      if (at === to) return;
      if (this.#state === PAYLOAD || this.#state === MASK) {
        const used = Math.min(this.#left, to - at);
        this.#left -= used;
        at += used;
      } else {
        this.#readHeadByte(bytes[at]!);
        at += 1;
      }
      while (this.#left === 0) this.#goOn();
    }
  }

  #readHeadByte(byte: number): void {
    this.#left -= 1;
    if (this.#state === LENGTH) {
      this.#length = this.#length * 256 + byte;
    } else if (this.#left === 0) {
      this.#isMasked = (byte & 0x80) !== 0;
      this.#length = byte & 0x7f;
    }
  }

  /** Enters the state after one whose bytes are complete; states without bytes are skipped. */
  #goOn(): void {
    if (this.#state === HEAD) {
      const extended = this.#length === 127 ? 8 : 2;
      this.#left = this.#length < 126 ? 0 : extended;
      if (this.#left > 0) this.#length = 0;
      this.#state = LENGTH;
    } else if (this.#state === LENGTH) {
      this.#state = MASK;
      this.#left = this.#isMasked ? 4 : 0;
    } else if (this.#state === MASK) {
      this.#state = PAYLOAD;
      this.#left = this.#length;
    } else {
      this.#state = HEAD;
      this.#left = 2;
    }
  }
}

/** Skips complete small frames in a few instructions each, because floods consist of them. Returns where the first other frame begins. */
function passSmall(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (to - at >= 2) {
    const second = bytes[at + 1]!;
    const length = second & 0x7f;
    const next = at + (second & 0x80 ? 6 : 2) + length;
    if (length > 125 || next > to) break;
    at = next;
  }
  return at;
}

/** A close frame; a client's frames must be masked, and a mask of zeros changes nothing. */
export function closeFrame(code: number, isMasked: boolean): Buffer {
  const payload = [code >> 8, code & 0xff];
  return Buffer.from(isMasked ? [0x88, 0x82, 0, 0, 0, 0, ...payload] : [0x88, 0x02, ...payload]);
}
