import { mkdir } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { archiveLimits } from '@paddock/contract/limits';
import { removeTree } from '@paddock/safe-files';
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
    await removeTree(destDir);
    throw error;
  }
}

/** Starting a thread takes longer than unpacking a small archive: one waits for the next archive. Each serves one archive only. */
let spare: Worker | undefined;
let preparing: NodeJS.Timeout | undefined;
/** Until then the agent that was just unpacked has the processor for its start. */
const preparePauseMs = 1000;

/** Sees to it that a thread waits for the next archive, before long. It keeps no process alive. */
export function prepareUnpacking(): void {
  clearTimeout(preparing);
  preparing = setTimeout(() => {
    if (spare) return;
    const worker = newWorker();
    spare = worker;
    worker.unref();
    // The next archive then gets a new one, and that one's error is told.
    for (const end of ['error', 'exit']) worker.once(end, () => (spare = spare === worker ? undefined : spare));
  }, preparePauseMs).unref();
}

function newWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 96 } });
}

async function runWorker(input: WorkerInput, signal: AbortSignal): Promise<Unpacked> {
  const worker = spare ?? newWorker();
  spare = undefined;
  worker.ref();
  const { promise, resolve, reject } = Promise.withResolvers<Unpacked>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (output: WorkerOutput) => {
    if ('ok' in output) resolve(output.ok);
    else reject(new BuildError('unpack', output.refused.code, output.refused.message, { hint: output.refused.hint }));
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new BuildError('unpack', 'unpack_failed', 'Unpacking ended without a result.')));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  worker.postMessage(input);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    // Whatever the outcome it writes nothing more: what is to be removed then stays so.
    await worker.terminate();
    prepareUnpacking();
  }
}
