import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Watched } from './standstill.ts';

const BEAT_MS = 500;
/** Longer than any of our own work takes, and shorter than people wait. */
const STANDSTILL_MS = 10_000;

/**
 * Kills this process with SIGKILL when its event loop is blocked for 10 s: a hung process answers no requests, handles no signal and keeps
 * its port. A thread with its own loop watches. The supervisor of the process restarts it. Time does not count while the process is stopped
 * or suspended, gets no processor, or is debugged.
 */
export function watchLoop(name: string, standstillMs = STANDSTILL_MS): { close: () => Promise<unknown> } {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const beat = () => {
    Atomics.add(cells, 0, 1);
    // While an inspector listens, a breakpoint may stop the loop at any time.
    Atomics.store(cells, 1, inspectorUrl() === undefined ? 0 : 1);
  };
  beat();
  const beating = setInterval(beat, BEAT_MS).unref();
  const thread = new Worker(new URL('./standstill.ts', import.meta.url), {
    workerData: { name, cells, standstillMs, pid: process.pid } satisfies Watched,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  });
  thread.unref();
  thread.on('error', (error) => console.error(`The watchdog of the ${name} ended: ${error.message}`));
  return {
    close: () => {
      clearInterval(beating);
      return thread.terminate();
    },
  };
}
