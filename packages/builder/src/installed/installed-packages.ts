import { Worker } from 'node:worker_threads';
import type { Artifact } from '../artifact.ts';
import type { InstalledPackages, PackagePlace } from './package.ts';

const limitMs = 30_000;
const memoryMb = 128;

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
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData: places,
  });
  const { promise, resolve, reject } = Promise.withResolvers<InstalledPackages>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new Error(`Reading the installed packages took longer than ${limitMs / 1000} s.`)), limitMs);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The thread that reads the installed packages ended without a result.')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
