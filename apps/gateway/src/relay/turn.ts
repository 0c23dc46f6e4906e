/** After so long one connection makes way for the others. */
const maxMs = 1;
/** Reads that begin so soon after the one before belong to the same turn: the loop has served nobody else between them. */
const pauseMs = 0.1;

/**
 * Watches how long reads of one connection keep the loop. A read that fills the buffer is followed by the next one at once, up to 32 times,
 * before any other connection is served; what is dear to read (chunks of one byte) would hold all others up for tens of milliseconds.
 */
export class Turn {
  #beganAt = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** Before a read that filled the buffer. */
  begin(): void {
    const now = performance.now();
    if (now - this.#endedAt > pauseMs) this.#beganAt = now;
  }

  /** After it. True if it is somebody else's turn: the next read belongs to another turn of the loop. */
  end(): boolean {
    this.#endedAt = performance.now();
    if (this.#endedAt - this.#beganAt <= maxMs) return false;
    this.#endedAt = Number.NEGATIVE_INFINITY;
    return true;
  }
}
