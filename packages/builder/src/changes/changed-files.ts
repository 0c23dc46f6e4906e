import { Worker } from 'node:worker_threads';
import type { ChangedFiles } from './diff-entries.ts';

const limitMs = 20_000;
const memoryMb = 128;

/** Paths of two ZIP archives. */
export interface Archives {
  before: string;
  after: string;
}

/** Null if one of the archives is gone, or is refused. */
export type Answer = ChangedFiles | null;

/**
 * How the files of one ZIP differ from those of another, by the directories of both; null if one is gone or is refused. They are written
 * by strangers: they are read in a thread with limits. Throws when the thread exceeds them.
 */
export async function changedFiles(archives: Archives, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new Error(`Comparing the archives took longer than ${limitMs / 1000} s.`)), limitMs);
  signal.addEventListener('abort', abort, { once: true });
  worker
    .on('message', resolve)
    .on('error', reject)
    .on('exit', () => reject(new Error('The thread that compares the archives ended without a result.')));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  worker.postMessage(archives);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
