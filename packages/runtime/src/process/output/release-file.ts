import { run } from '../host/run.ts';

const BLOCK_BYTES = 4096;

/** Frees the disk space of the bytes before `offset`. The file keeps its length, so offsets into it stay valid. */
export async function releaseFile(file: string, offset: number): Promise<void> {
  const length = Math.floor(offset / BLOCK_BYTES) * BLOCK_BYTES;
  if (length > 0) await run('fallocate', ['--punch-hole', '--offset', '0', '--length', `${length}`, '--', file]);
}
