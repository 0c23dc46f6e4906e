import { readSync } from 'node:fs';
import { refuse } from './entry-rules.ts';

/** Fills the buffer from the file or throws: a short read means that the file is cut off. */
export function readFully(fd: number, buffer: Buffer, position: number): void {
  for (let done = 0; done < buffer.length; ) {
    const n = readSync(fd, buffer, done, buffer.length - done, position + done);
    if (n === 0) throw refuse('archive_invalid', 'The archive is cut off.', 'Upload it again.');
    done += n;
  }
}
