import { appendFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { until } from '../apps/server/test/platform.ts';

/** Names the number of lines that a process lost; written once there is space. */
export const NOTICE = /lines? (was|were) not written/;

/** Repeats what makes a process write a line until none reached its file. Needs a disk that stays full: a line that finds a new block has room in it for the next. */
export const linesAreLost = (file: string, speak: () => Promise<unknown>) =>
  until(`lines for ${basename(file)} are lost`, async () => {
    fillPage(file);
    const { size } = statSync(file);
    await speak();
    return statSync(file).size === size;
  });

/** Fills the last block of the file, so that its next line needs another block. A full disk may already have cut the last line at a block's end. */
function fillPage(file: string) {
  const room = (4096 - (statSync(file).size % 4096)) % 4096;
  if (room > 0) appendFileSync(file, `${' '.repeat(room - 1)}\n`);
}
