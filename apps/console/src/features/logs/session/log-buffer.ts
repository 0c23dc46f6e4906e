import type { LogLine } from '@paddock/contract';
import { plainText } from './ansi.ts';

export interface HeldLine {
  line: LogLine;
  /** The text that is displayed and searched. */
  text: string;
  /** Number of lines missing between this one and the one before. */
  missing: number;
}

export type LogBuffer = ReturnType<typeof createLogBuffer>;

export const bufferCapacity = 50_000;

/**
 * The lines loaded in the viewer: ascending, without duplicates, without gaps unless `hasGaps`, at most `capacity`. When it is full, new
 * lines evict the oldest; older ones are added only while there is room. `lines` is a new array after each change; its entries keep their
 * identity.
 */
export function createLogBuffer(capacity = bufferCapacity, { hasGaps = false } = {}) {
  let lines: readonly HeldLine[] = [];
  let isCut = false;

  const missing = (between: number) => (hasGaps ? 0 : between);
  const first = () => lines[0]?.line.number ?? null;
  const last = () => lines.at(-1)?.line.number ?? 0;

  return {
    get lines() {
      return lines;
    },
    /**
     * Lines before the first one were evicted, or were dropped for lack of room. It never becomes false again, since a full buffer stays
     * full.
     */
    get isCut() {
      return isCut;
    },
    first,
    last,
    room: () => capacity - lines.length,

    /** Appends lines after the last one and ignores the rest; returns the number of new lines. */
    append(arrived: readonly LogLine[]): number {
      const fresh: HeldLine[] = [];
      let previous = last();
      for (const line of arrived) {
        if (line.number <= previous) continue;
        const isVeryFirst = lines.length === 0 && fresh.length === 0;
        fresh.push({ line, text: plainText(line.message), missing: isVeryFirst ? 0 : missing(line.number - previous - 1) });
        previous = line.number;
      }
      if (fresh.length === 0) return 0;
      isCut ||= lines.length + fresh.length > capacity;
      lines = [...lines, ...fresh].slice(-capacity);
      return fresh.length;
    },

    /** Prepends lines before the first one, nearest first, as far as there is room; returns the number of new lines. */
    prepend(older: readonly LogLine[]): number {
      const room = capacity - lines.length;
      const before = first() ?? Number.POSITIVE_INFINITY;
      const preceding = older.filter((line) => line.number < before);
      isCut ||= preceding.length > room;
      const fresh = room > 0 ? preceding.slice(-room) : [];
      if (fresh.length === 0) return 0;
      const held = fresh.map((line, index) => ({
        line,
        text: plainText(line.message),
        missing: index === 0 ? 0 : missing(line.number - (fresh[index - 1] as LogLine).number - 1),
      }));
      const [next, ...rest] = lines;
      const gap = missing(before - (fresh.at(-1) as LogLine).number - 1);
      lines = next && gap !== next.missing ? [...held, { ...next, missing: gap }, ...rest] : [...held, ...lines];
      return fresh.length;
    },
  };
}
