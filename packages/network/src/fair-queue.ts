export type FairQueue<T> = ReturnType<typeof fairQueue<T>>;

/** A queue in which owners take turns; what one owner puts in comes out in the order in which it came. Bound what goes in, as by `fairPlaces`. */
export function fairQueue<T>() {
  const waiting = new Map<string, T[]>();

  return {
    push(owner: string, item: T): void {
      const own = waiting.get(owner);
      if (own) own.push(item);
      else waiting.set(owner, [item]);
    },
    isEmpty: () => waiting.size === 0,
    /** Removes the next item. */
    shift(): T | undefined {
      for (const [owner, own] of waiting) {
        const item = own.shift();
        // Deleted and set again, the owner is the last one.
        waiting.delete(owner);
        if (own.length > 0) waiting.set(owner, own);
        return item;
      }
      return undefined;
    },
  };
}
