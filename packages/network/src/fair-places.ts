/** This part of all places stays free for owners that have none. */
const keptShare = 1 / 4;

export type FairPlaces = ReturnType<typeof fairPlaces>;

/**
 * Places that several owners share, for work that is under way. An owner without a place gets any free one. An owner with places gets another one while
 * more are free than it has, so that one owner alone takes half of all, and never one of those that are kept for owners without a place.
 */
export function fairPlaces(all: number) {
  const takenBy = new Map<string, number>();
  const kept = Math.floor(all * keptShare);
  let free = all;

  return {
    /** Takes a place and returns what gives it back, once; undefined: there is none for this owner now. */
    take(owner: string): (() => void) | undefined {
      const own = takenBy.get(owner) ?? 0;
      const needed = own === 0 ? 0 : Math.max(own, kept);
      if (free <= needed) return undefined;
      takenBy.set(owner, own + 1);
      free -= 1;
      let isGivenBack = false;
      return () => {
        if (isGivenBack) return;
        isGivenBack = true;
        free += 1;
        const left = (takenBy.get(owner) ?? 1) - 1;
        if (left > 0) takenBy.set(owner, left);
        else takenBy.delete(owner);
      };
    },
  };
}
