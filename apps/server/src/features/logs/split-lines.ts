import { logLimits } from '@paddock/contract/limits';

export const cutMark = ' … [line cut at 16 KiB]';

export interface Split {
  lines: string[];
  /** How many bytes of the chunk the lines consumed. */
  used: number;
  /** True when the last line was cut and its rest must still be skipped. */
  is_cut: boolean;
}

/**
 * Splits a chunk of output into whole lines. An unfinished line stays for the next chunk, unless the output has ended or the line exceeds
 * the limit. Then its beginning becomes a line with a mark, and its rest is skipped up to the next line end.
 */
export function splitLines(chunk: Buffer, skipping: boolean, ended: boolean): Split {
  const lines: string[] = [];
  let used = 0;
  let cut = skipping;
  while (used < chunk.length) {
    const end = chunk.indexOf(10, used);
    if (cut) {
      if (end < 0) return { lines, used: chunk.length, is_cut: !ended };
      used = end + 1;
      cut = false;
      continue;
    }
    const stop = end < 0 ? chunk.length : end;
    if (stop - used > logLimits.lineBytes) {
      lines.push(text(chunk.subarray(used, used + logLimits.lineBytes)) + cutMark);
      used += logLimits.lineBytes;
      cut = true;
      continue;
    }
    if (end < 0 && !ended) break;
    lines.push(text(chunk.subarray(used, stop)));
    used = end < 0 ? chunk.length : end + 1;
  }
  return { lines, used, is_cut: cut && !ended };
}

// PostgreSQL's text cannot hold NUL. A CR before the line end is not part of the line.
const text = (bytes: Buffer) => {
  const line = bytes.toString('utf8').replaceAll('\0', '\uFFFD');
  return line.endsWith('\r') ? line.slice(0, -1) : line;
};
