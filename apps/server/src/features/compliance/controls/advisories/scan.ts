import { Worker } from 'node:worker_threads';
import { keyOf, type Package } from './affects.ts';
import type { ScanInput, Scanned } from './worker.ts';

const limitMs = 300_000;
const memoryMb = 1024;
/** Teams that are checked one after the other share one look at the database. */
const sharedMs = 600_000;

/** Looks packages up in an OSV database, in a thread with limits. Throws what keeps the database from being read. */
export function advisoryScan(source: string, packagesOfAll: () => Promise<Package[]>) {
  let last: { at: number; known: Set<string>; result: Promise<Scanned> } | undefined;
  const nameOf = (one: Package) => `${keyOf(one)} ${one.version}`;

  return async (wanted: readonly Package[], signal: AbortSignal): Promise<Scanned> => {
    const isFresh = last && performance.now() - last.at < sharedMs && wanted.every((one) => last?.known.has(nameOf(one)));
    if (!isFresh) {
      const packages = [...(await packagesOfAll()), ...wanted];
      const result = inThread({ source, packages }, signal);
      last = { at: performance.now(), known: new Set(packages.map(nameOf)), result };
      result.catch(() => (last = undefined));
    }
    return last!.result;
  };
}

async function inThread(input: ScanInput, signal: AbortSignal): Promise<Scanned> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData: input,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Scanned>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new Error(`Reading the advisory database took longer than ${limitMs / 1000} s.`)), limitMs);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The thread that reads the advisory database ended without a result.')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}
