// The watchdog's thread. It reads the heartbeat of the main thread's loop and kills the process when the loop is blocked.
import { write } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { createStallMeter, readShare } from './stall.ts';
import { whereMainStands } from './where.ts';

export interface Watched {
  /** Name of the process in the message. */
  name: string;
  /** The number of beats, followed by 1 while an inspector listens, otherwise 0. */
  cells: Int32Array;
  standstillMs: number;
  pid: number;
}

const TICK_MS = 500;
/** Bound of writing the message, since a full pipe or disk must not delay the end of the process. */
const LAST_WORDS_MS = 1_000;

const lastWords = (text: string) => Promise.race([new Promise<void>((done) => write(2, text, () => done())), sleep(LAST_WORDS_MS)]);

if (workerData !== null) await watch(workerData as Watched);

async function watch({ name, cells, standstillMs, pid }: Watched): Promise<never> {
  const stood = createStallMeter(() => readShare(pid));
  for (;;) {
    await sleep(TICK_MS);
    // Counts this thread's ticks, of which there are none while the machine sleeps or the process is stopped.
    const ms = stood(Atomics.load(cells, 0), TICK_MS);
    if (ms < standstillMs || Atomics.load(cells, 1) === 1) continue;
    const where = await whereMainStands();
    await lastWords(`The ${name} (process ${pid}) stands still for ${Math.round(ms / 1000)} s and is ended${where ? `: ${where}` : ''}\n`);
    process.kill(pid, 'SIGKILL');
  }
}
