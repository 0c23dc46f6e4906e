/** Share of all places that stays free for owners without a place. */
const keptShare = 1 / 4;

export type FairPlaces = ReturnType<typeof fairPlaces>;

/**
 * Places for work in progress that several owners share. An owner without a place gets any free one. An owner with places gets another one
 * while more are free than it has, so that a single owner takes at most half of all, and never one of those reserved for owners without a
 * place.
 */
export function fairPlaces(all: number) {
  const takenBy = new Map<string, number>();
  const kept = Math.floor(all * keptShare);
  let free = all;

  return {
    /** Takes a place and returns a function that releases it once; undefined if the owner cannot get one now. */
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
