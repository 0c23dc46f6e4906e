import { Worker } from 'node:worker_threads';
import type { Artifact } from '../artifact.ts';
import type { InstalledPackages, PackagePlace } from './package.ts';

const limitMs = 30_000;
const memoryMb = 128;
/** Starting a thread takes 80 ms of processor time, so one that has read an artifact waits this long for the next, up to this number. */
const idleMs = 60_000;
const maxArtifacts = 50;

let idle: { worker: Worker; ending: NodeJS.Timeout } | undefined;
const artifactsRead = new WeakMap<Worker, number>();

function takeWorker(): Worker {
  if (idle === undefined) return newWorker();
  const { worker, ending } = idle;
  idle = undefined;
  clearTimeout(ending);
  worker.ref();
  return worker;
}

function newWorker(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  for (const end of ['error', 'exit']) worker.on(end, () => (idle = idle?.worker === worker ? undefined : idle));
  return worker;
}

function giveBack(worker: Worker): void {
  const count = (artifactsRead.get(worker) ?? 0) + 1;
  artifactsRead.set(worker, count);
  if (idle !== undefined || count >= maxArtifacts) return void worker.terminate();
  worker.unref();
  idle = { worker, ending: setTimeout(() => void worker.terminate(), idleMs).unref() };
}

/**
 * The packages installed in an artifact, according to their own files. These files are written by strangers: they are read in a thread with
 * limits, and unreadable content makes the result partial. Throws when the thread exceeds its limits.
 */
export async function installedPackages({ app_dir, mounts }: Artifact, signal: AbortSignal): Promise<InstalledPackages> {
  signal.throwIfAborted();
  const places: PackagePlace[] = [{ root: app_dir, kind: 'app' }];
  for (const { from, at } of mounts) {
    if (at.endsWith('/node_modules')) places.push({ root: from, kind: 'node_modules' });
    if (at.endsWith('/.venv')) places.push({ root: from, kind: 'venv' });
  }
  const worker = takeWorker();
  const { promise, resolve, reject } = Promise.withResolvers<InstalledPackages>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new Error(`Reading the installed packages took longer than ${limitMs / 1000} s.`)), limitMs);
  signal.addEventListener('abort', abort, { once: true });
  const onExit = () => reject(new Error('The thread that reads the installed packages ended without a result.'));
  worker.on('message', resolve).on('error', reject).on('exit', onExit);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  worker.postMessage(places);
  try {
    const packages = await promise;
    worker.off('message', resolve).off('error', reject).off('exit', onExit);
    giveBack(worker);
    return packages;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
