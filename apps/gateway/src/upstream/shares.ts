import type { Upstream } from './upstream.ts';

/** How many connections to one instance, busy or opening, each network of visitors holds; none may hold more than its share. */
export class Shares {
  readonly #most: number;
  readonly #held = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  isUsedUp(network: string): boolean {
    return (this.#held.get(network) ?? 0) >= this.#most;
  }

  lend(upstream: Upstream, network: string): void {
    upstream.holder = network;
    this.#held.set(network, (this.#held.get(network) ?? 0) + 1);
  }

  takeBack(upstream: Upstream): void {
    const network = upstream.holder;
    if (network === undefined) return;
    const left = (this.#held.get(network) ?? 0) - 1;
    if (left > 0) this.#held.set(network, left);
    else this.#held.delete(network);
    upstream.holder = undefined;
  }
}
