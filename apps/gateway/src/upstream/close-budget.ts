/** Connections to one instance that may be closed cleanly in a burst, and per second after that. */
const atOnce = 3_000;
const perSecond = 50;

/**
 * The side that closes a connection first keeps its port for a minute (TIME_WAIT). With some ten thousand such ports to one instance, the kernel
 * takes milliseconds of this process's time to find a free one, and finally finds none. To prevent a visitor or agent from causing that, only
 * a limited number of connections to an instance is closed cleanly; the others are reset.
 */
export class CloseBudget {
  #left = atOnce;
  #countedAt = performance.now();

  /** The budget is full again, so the object can be dropped. */
  get isRested(): boolean {
    return this.#refill() === atOnce;
  }

  /** True if one more connection may be closed cleanly. */
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
