import type { LogLine } from '@paddock/contract';
import { plainText } from './ansi.ts';

export interface HeldLine {
  line: LogLine;
  /** What the reader sees and searches in. */
  text: string;
  /** Lines that should stand between this one and the one before and do not. */
  missing: number;
}

export type LogBuffer = ReturnType<typeof createLogBuffer>;

export const bufferCapacity = 50_000;

/**
 * The lines that the viewer holds: ascending, without gaps unless it `hasGaps` by nature, none twice, never more than `capacity`. When full, the oldest go;
 * older ones are only taken in while there is room. `lines` is a new array after each change, its entries keep their identity.
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
    /** Lines that precede the first held one were here, or were given, and had no room. Since a full buffer stays full, this stays so. */
    get isCut() {
      return isCut;
    },
    first,
    last,
    room: () => capacity - lines.length,

    /** Takes what follows the last held line and leaves out the rest; tells how many were new. */
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

    /** Takes what precedes the first held line, the nearest first, as far as there is room; tells how many were new. */
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
