import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '../../../log.ts';
import type { ReceiverInput, ReceiverOutput } from './thread.ts';

/** Heap limit: for a few bodies at a time, and their parsed form. */
const memoryMb = 256;
const maxRestartDelayMs = 30_000;
const warningPauseMs = 60_000;
const endMs = 3_000;

interface Deps extends ReceiverInput {
  log: Pick<Log, 'warn' | 'error'>;
}

/**
 * Receives traces in a thread: data from agents never blocks the server's own work, and a request that exhausts the thread's memory ends only
 * the thread, which is restarted. Resolves once it listens.
 */
export async function startReceiver({ log, ...input }: Deps) {
  let { port } = input;
  let isClosed = false;
  let thread: Worker | undefined;
  let warnedAt = -Infinity;
  const closing = new AbortController();

  port = await listen();
  return { port, close };

  /** Resolves to the port, rejects if it cannot listen. */
  function listen(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const started = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { ...input, port } satisfies ReceiverInput,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    thread = started;
    let listens = false;
    started.on('message', (message: ReceiverOutput) => {
      if ('warning' in message) return warn(message.warning);
      listens = true;
      resolve(message.port);
    });
    started.once('error', (error) => {
      reject(error);
      if (listens) log.error({ err: error }, 'trace receiver exited; restarting');
    });
    started.once('exit', () => {
      reject(new Error('The receiver of traces ended.'));
      if (listens && !isClosed) void restart();
    });
    return promise;
  }

  async function restart(): Promise<void> {
    for (let pauseMs = 500; !isClosed; pauseMs = Math.min(pauseMs * 2, maxRestartDelayMs)) {
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => 'closing');
      if (isClosed) return;
      try {
        await listen();
        return;
      } catch (error) {
        warn(`trace receiver failed to start: ${(error as Error).message}`);
      }
    }
  }

  /** Rate-limited, because an agent may cause any number of warnings. */
  function warn(warning: string): void {
    if (performance.now() - warnedAt < warningPauseMs) return;
    warnedAt = performance.now();
    log.warn(warning);
  }

  async function close(): Promise<void> {
    isClosed = true;
    closing.abort();
    const last = thread;
    if (!last) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    last.once('exit', () => resolve());
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
    last.postMessage('close');
    await Promise.race([promise, sleep(endMs)]);
    await last.terminate();
  }
}
