/** Runs at most `atATime` pieces of work at once. The others wait in order of arrival, or until they are cancelled. */
export function createSemaphore(atATime: number) {
  let running = 0;
  const waiting = new Set<() => void>();

  const next = () => {
    running--;
    const [first] = waiting;
    first?.();
  };

  async function take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < atATime) {
      running++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      running++;
      leave();
      resolve();
    };
    const giveUp = () => {
      leave();
      reject(signal.reason);
    };
    const leave = () => {
      waiting.delete(begin);
      signal.removeEventListener('abort', giveUp);
    };
    waiting.add(begin);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise;
  }

  return async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    await take(signal);
    try {
      return await work();
    } finally {
      next();
    }
  };
}
