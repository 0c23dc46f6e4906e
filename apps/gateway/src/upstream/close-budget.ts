/** So many connections to one instance may be closed in order at once, and so many per second from there on. */
const atOnce = 3_000;
const perSecond = 50;

/**
 * Whoever closes a connection first keeps its port for a minute (TIME_WAIT). With some ten thousand such ports to one instance, the kernel
 * takes milliseconds of this process's time to find a free one, and at last finds none. So that no visitor or agent can bring that about, only
 * so many connections to an instance are closed in order; the others are reset.
 */
export class CloseBudget {
  #left = atOnce;
  #countedAt = performance.now();

  /** Nothing was closed for so long that there is nothing to remember. */
  get isRested(): boolean {
    return this.#refill() === atOnce;
  }

  /** True if one more connection may be closed in order. */
  mayClose(): boolean {
    if (this.#refill() < 1) return false;
    this.#left -= 1;
    return true;
  }

  #refill(): number {
    const now = performance.now();
    this.#left = Math.min(atOnce, this.#left + ((now - this.#countedAt) / 1000) * perSecond);
    this.#countedAt = now;
    return this.#left;
  }
}
