import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Watched } from './standstill.ts';

const beatMs = 500;
/** Longer than any work of ours takes in one piece, and shorter than anybody waits. */
const standstillMost = 10_000;

/**
 * Ends this process by SIGKILL when its event loop stands still for 10 s: one that hangs answers nobody, hears no signal and holds its port. A
 * thread with a loop of its own watches; whoever started the process starts it again. What the loop cannot be blamed for does not count: a
 * stopped or suspended process, a machine without time for it, a debugger.
 */
export function watchLoop(name: string, standstillMs = standstillMost): { close: () => Promise<unknown> } {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const beat = () => {
    Atomics.add(cells, 0, 1);
    // Somebody may stop at a breakpoint at any time from now on.
    Atomics.store(cells, 1, inspectorUrl() === undefined ? 0 : 1);
  };
  beat();
  const beating = setInterval(beat, beatMs).unref();
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
