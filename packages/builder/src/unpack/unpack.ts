import { mkdir, rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { archiveLimits } from '@paddock/contract/limits';
import { BuildError } from '../build-error.ts';
import type { ArchiveLimits } from './entry-rules.ts';
import type { Unpacked, WorkerInput, WorkerOutput } from './worker.ts';

/**
 * Unpacks a ZIP into `destDir`, which must not exist yet, in a thread of its own. Every limit holds while unpacking.
 * Fails with a BuildError that names the entry at fault; after a failure or an abort `destDir` is gone.
 */
export async function unpack(
  zipPath: string,
  destDir: string,
  signal: AbortSignal,
  limits: ArchiveLimits = archiveLimits,
): Promise<Unpacked> {
  signal.throwIfAborted();
  await mkdir(destDir, { mode: 0o755 });
  try {
    signal.throwIfAborted();
    return await runWorker({ zipPath, destDir, limits }, signal);
  } catch (error) {
    await rm(destDir, { recursive: true, force: true });
    throw error;
  }
}

async function runWorker(input: WorkerInput, signal: AbortSignal): Promise<Unpacked> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 96 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Unpacked>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (output: WorkerOutput) => {
    if ('ok' in output) resolve(output.ok);
    else reject(new BuildError('unpack', output.refused.code, output.refused.message, { hint: output.refused.hint }));
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new BuildError('unpack', 'unpack_failed', 'Unpacking ended without a result.')));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
