import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../../../log.ts';
import type { SequencerInput, SequencerOutput } from './thread.ts';

const memoryMb = 512;
const maxRestartDelayMs = 30_000;
const warningPauseMs = 60_000;
const endMs = 5_000;

interface Deps extends SequencerInput {
  log: Pick<Log, 'warn' | 'error'>;
}

/** Chains and signs in a thread: hashing never blocks the server's own work. A thread that ends is restarted. */
export function startSequencer({ log, ...input }: Deps) {
  let isClosed = false;
  let thread: Worker | undefined;
  let warnedAt = -Infinity;
  const closing = new AbortController();
  const running = loop();
  return { close };

  async function loop(): Promise<void> {
    for (let pauseMs = 500; !isClosed; pauseMs = Math.min(pauseMs * 2, maxRestartDelayMs)) {
      const began = performance.now();
      await run();
      if (isClosed) return;
      if (performance.now() - began > maxRestartDelayMs) pauseMs = 500;
      log.error('audit sequencer exited; restarting');
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  /** Resolves when the thread has ended. */
  function run(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: input satisfies SequencerInput,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    thread = started;
    started.on('message', (message: SequencerOutput) => 'warning' in message && warn(message.warning));
    started.once('error', (error) => log.error({ err: error }, 'audit sequencer failed'));
    started.once('exit', () => resolve());
    return promise;
  }

  function warn(warning: string): void {
    if (performance.now() - warnedAt < warningPauseMs) return;
    warnedAt = performance.now();
    log.warn(warning);
  }

  async function close(): Promise<void> {
    isClosed = true;
    closing.abort();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
    thread?.postMessage('close');
    await Promise.race([running, sleep(endMs, undefined, { ref: false })]);
    await thread?.terminate();
  }
}
