import { fairQueue } from './fair-queue.ts';

interface Turn {
  owner?: string;
  /** Cancels the work while it waits. */
  signal?: AbortSignal;
}

export type Semaphore = ReturnType<typeof createSemaphore>;

/**
 * Runs at most `max` pieces of work at once. The others wait: owners take turns, and the work of one owner begins in order of arrival. Work
 * that is cancelled while it waits never begins; its promise rejects with the signal's reason.
 */
export function createSemaphore(max: number) {
  let running = 0;
  const waiting = fairQueue<() => void>();

  async function wait({ owner = '', signal }: Turn): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cancel = () => {
      waiting.remove(owner, resolve);
      reject(signal?.reason);
    };
    waiting.push(owner, resolve);
    signal?.addEventListener('abort', cancel, { once: true });
    await promise;
    signal?.removeEventListener('abort', cancel);
  }

  return async <T>(work: () => Promise<T>, turn: Turn = {}): Promise<T> => {
    turn.signal?.throwIfAborted();
    if (running >= max) await wait(turn);
    else running += 1;
    try {
      return await work();
    } finally {
      // The slot is passed directly to the next one.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
