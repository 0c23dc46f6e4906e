/** Runs so many works at a time, the others after them in the order in which they came. */
export function turns(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place goes straight to the next one.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
