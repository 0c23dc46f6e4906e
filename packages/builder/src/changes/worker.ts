import { closeSync, openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { archiveLimits } from '@paddock/contract/limits';
import { BuildError } from '../build-error.ts';
import { normalise } from '../unpack/normalise.ts';
import { readDirectory } from '../unpack/zip-directory.ts';
import type { Answer, Archives } from './changed-files.ts';
import { diffEntries } from './diff-entries.ts';

parentPort?.once('message', (archives: Archives) => void answer(archives));

async function answer({ before, after }: Archives): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  parentPort?.postMessage(await compare(before, after));
}

async function compare(before: string, after: string): Promise<Answer> {
  try {
    return diffEntries(await readEntries(before), await readEntries(after));
  } catch (error) {
    if (error instanceof BuildError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readEntries(path: string) {
  const fd = openSync(path, 'r');
  try {
    return normalise((await readDirectory(fd, archiveLimits)).entries).entries;
  } finally {
    closeSync(fd);
  }
}
