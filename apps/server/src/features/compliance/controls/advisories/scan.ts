import { Worker } from 'node:worker_threads';
import { keyOf, type Package } from './affects.ts';
import type { ScanInput, Scanned } from './worker.ts';

const limitMs = 300_000;
const memoryMb = 1024;
/** Teams that are checked one after the other share one look at the database. */
const sharedMs = 600_000;
/** A check is ended after 20 s, and a whole database of all advisories takes longer to read. */
const waitMs = 15_000;

/**
 * Looks packages up in an OSV database, in a thread with limits. Throws what keeps the database from being read, and gives undefined while it is still
 * being read: that goes on after the check, and one of the next ten minutes has the result.
 */
export function advisoryScan(source: string, packagesOfAll: () => Promise<Package[]>) {
  let last: { at: number; known: Set<string>; result: Promise<Scanned> } | undefined;
  const nameOf = (one: Package) => `${keyOf(one)} ${one.version}`;

  return async (wanted: readonly Package[], { within = waitMs }: { within?: number } = {}): Promise<Scanned | undefined> => {
    const isFresh = last && performance.now() - last.at < sharedMs && wanted.every((one) => last?.known.has(nameOf(one)));
    if (!isFresh) {
      const packages = [...(await packagesOfAll()), ...wanted];
      const begun = { at: performance.now(), known: new Set(packages.map(nameOf)), result: inThread({ source, packages }) };
      last = begun;
      begun.result.then(
        () => (begun.at = performance.now()),
        () => {
          if (last === begun) last = undefined;
        },
      );
    }
    return Promise.race([last!.result, later(within)]);
  };
}

const later = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms).unref());

async function inThread(input: ScanInput): Promise<Scanned> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData: input,
  });
  // A server that ends does not wait for it.
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<Scanned>();
  const timer = setTimeout(() => reject(new Error(`Reading the advisory database took longer than ${limitMs / 1000} s.`)), limitMs).unref();
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The thread that reads the advisory database ended without a result.')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
