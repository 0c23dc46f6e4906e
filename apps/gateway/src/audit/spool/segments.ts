import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file of a spool. */
export interface Segment {
  path: string;
  /** The number of its first record. */
  first: number;
  /** Bytes written. */
  size: number;
}

const name = /^(\d{15})\.records$/;

export const segmentPath = (folder: string, first: number): string => join(folder, `${String(first).padStart(15, '0')}.records`);

/** The segments in a folder, oldest first. */
export function segmentsIn(folder: string): Segment[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const first = name.exec(file)?.[1];
      const path = join(folder, file);
      return first === undefined ? [] : [{ path, first: Number(first), size: statSync(path).size }];
    });
}
