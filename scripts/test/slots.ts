/** Returns a number of slots. A second call does nothing. */
export type Release = () => void;
export type Slots = ReturnType<typeof createSlots>;

/**
 * The limit of parallel work that all stages share. Requests are granted strictly in their order of arrival, so that a request for several
 * slots cannot starve. After an abort, waiting and later requests get nothing.
 */
export function createSlots(total: number, signal: AbortSignal) {
  /** Negative while extra slots are taken. */
  let free = total;
  const queue: { count: number; grant: (release: Release | undefined) => void }[] = [];

  const next = () => {
    for (let first = queue[0]; first && first.count <= free; first = queue[0]) {
      queue.shift();
      free -= first.count;
      first.grant(releaseOnce(first.count));
    }
  };
  const releaseOnce = (count: number): Release => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      free += count;
      next();
    };
  };
  signal.addEventListener('abort', () => {
    for (const { grant } of queue.splice(0)) grant(undefined);
  });

  return {
    total,
    /** Grants the first request although no slot is free, up to `maxExtra` slots. A request for several slots is not granted: it limits who runs beside it. */
    grantExtra: (maxExtra: number): void => {
      const first = queue[0];
      if (!first || first.count !== 1 || free <= -maxExtra) return;
      queue.shift();
      free -= 1;
      first.grant(releaseOnce(1));
    },
    /** A request for more slots than exist takes all of them. */
    take: (count: number): Promise<Release | undefined> => {
      if (signal.aborted) return Promise.resolve(undefined);
      return new Promise((grant) => {
        queue.push({ count: Math.min(count, total), grant });
        next();
      });
    },
  };
}
