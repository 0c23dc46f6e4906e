import { Worker } from 'node:worker_threads';
import { type Package, packageKey } from './match.ts';
import type { ScanInput, Scanned } from './worker.ts';

const limitMs = 300_000;
const memoryMb = 1024;
/** Teams checked within this time share one scan of the database. */
const sharedMs = 600_000;

/**
 * Looks packages up in an OSV database, in a thread with limits. Throws the reason when the database cannot be read. A large database takes
 * longer than a check may: a caller that stops waiting gets the result at the next check.
 */
export function advisoryScan(source: string, packagesOfAll: () => Promise<Package[]>) {
  let last: AdvisoryScan | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const nameOf = (one: Package) => `${packageKey(one)} ${one.version}`;

  async function begin(wanted: readonly Package[]): Promise<AdvisoryScan> {
    if (last && performance.now() - last.at < sharedMs && wanted.every((one) => last?.known.has(nameOf(one)))) return last;
    const packages = [...(await packagesOfAll()), ...wanted];
    const look: AdvisoryScan = { at: performance.now(), known: new Set(packages.map(nameOf)), result: inThread({ source, packages }) };
    last = look;
    look.result.catch(() => (last = last === look ? undefined : last));
    return look;
  }

  return async (wanted: readonly Package[]): Promise<Scanned> => {
    const mine = turn.then(() => begin(wanted)); // of two concurrent calls, the second reuses the first's scan
    turn = mine.catch(() => undefined); // reported to the caller, not to the next one
    return (await mine).result;
  };
}

interface AdvisoryScan {
  at: number;
  known: Set<string>;
  result: Promise<Scanned>;
}

async function inThread(input: ScanInput): Promise<Scanned> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData: input,
  });
  // The thread does not delay a shutdown.
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
