export type FairQueue<T> = ReturnType<typeof fairQueue<T>>;

/**
 * A queue in which owners take turns. The items of one owner come out in order of arrival. Bound the items that go in, for example with
 * `fairPlaces`.
 */
export function fairQueue<T>() {
  const waiting = new Map<string, T[]>();

  return {
    push(owner: string, item: T): void {
      const own = waiting.get(owner);
      if (own) own.push(item);
      else waiting.set(owner, [item]);
    },
    /** Removes an item that waits no longer. */
    remove(owner: string, item: T): void {
      const own = waiting.get(owner)?.filter((each) => each !== item) ?? [];
      if (own.length > 0) waiting.set(owner, own);
      else waiting.delete(owner);
    },
    isEmpty: () => waiting.size === 0,
    /** Removes the next item. */
    shift(): T | undefined {
      for (const [owner, own] of waiting) {
        const item = own.shift();
        // Deleting and setting it again moves the owner to the end.
        waiting.delete(owner);
        if (own.length > 0) waiting.set(owner, own);
        return item;
      }
      return undefined;
    },
  };
}
