import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';

/** Creates a private file (0600) atomically. A file that another process created meanwhile is kept. */
export function writeOnce(file: string, text: string) {
  const temporary = `${file}.${process.pid}`;
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
}
