import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { withoutLauncher } from './launcher-lines.ts';
import { releaseFile } from './release-file.ts';

/** Bytes at the end of each file that are kept when it is trimmed, and searched for its last lines. */
const KEPT_BYTES = 64 * 1024;

/** The last lines of a program's output files. Programs write to one of the files; the one written last comes last. */
export function lastLines(files: string[], count: number): string {
  const outputs = files.filter((file) => existsSync(file)).sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  const lines = outputs.flatMap((file) => readTail(file).trimEnd().split('\n')).filter((line) => line !== '');
  return lines.slice(-count).map(withoutLauncher).join('\n');
}

/** Frees the disk space of a file except its end. */
export async function trimFile(file: string): Promise<void> {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > KEPT_BYTES) await releaseFile(file, size - KEPT_BYTES);
}

function readTail(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = statSync(file);
    const length = Math.min(size, KEPT_BYTES);
    const buffer = Buffer.alloc(length);
    const read = readSync(descriptor, buffer, 0, length, size - length);
    return buffer.toString('utf8', 0, read).replaceAll('\0', ''); // freed space reads as zeros
  } finally {
    closeSync(descriptor);
  }
}
