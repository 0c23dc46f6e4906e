import { readRemoval, type SigningKey } from '@paddock/audit';
import type { RemovalStore } from './removal-store.ts';

interface ListedDeps {
  store: Pick<RemovalStore, 'linesAfter'>;
  key: SigningKey;
}

/**
 * The signed list of a team's lawful removals, read at the first missing payload, and updated at one that it lacks: payloads may be removed
 * during a verification or an export. Lines that this installation did not sign are ignored.
 */
export function listedRemovals(team_id: string, { store, key }: ListedDeps) {
  let ranges: [number, number][] = [];
  let read = 0;
  const has = (seq: number) => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle]![0] <= seq) low = middle + 1;
      else high = middle;
    }
    return low > 0 && ranges[low - 1]![1] >= seq;
  };
  return {
    /** Whether the removal of the payload is listed, and the lines that were read to determine it. */
    async find(seq: number): Promise<{ isListed: boolean; lines: string[] }> {
      if (has(seq)) return { isListed: true, lines: [] };
      const { lines, last } = await store.linesAfter(team_id, read);
      read = last;
      const signed = lines.flatMap((line) => {
        const removal = readRemoval(line, key);
        return removal?.team_id === team_id ? [{ line, removal }] : [];
      });
      ranges = merged([...ranges, ...signed.flatMap(({ removal }) => removal.records)]);
      return { isListed: has(seq), lines: signed.map(({ line }) => line) };
    },
  };
}

function merged(ranges: [number, number][]): [number, number][] {
  const all: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
