import { Worker } from 'node:worker_threads';
import { type Scanned, type ScanTask, scan } from './scan.ts';

export interface ScannerLimits {
  /** Longer texts are looked through by a thread of their own. */
  inlineLength: number;
  /** For one text; then the thread is ended. */
  scanMs: number;
  /** Texts that may wait for the thread. */
  maxWaiting: number;
}

interface Waiting {
  task: ScanTask;
  resolve: (scanned: Scanned | undefined) => void;
}

/** How long the thread may take to start. */
const startMs = 10_000;

/** Looks through texts: short ones at once, long ones in a thread, one after the other, each for a limited time. */
export function scanner({ inlineLength, scanMs, maxWaiting }: ScannerLimits) {
  const waiting: Waiting[] = [];
  let worker: Worker | undefined;
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  return { scanned, close };

  /** Resolves to undefined if there was no time for it. */
  function scanned(task: ScanTask): Scanned | Promise<Scanned | undefined> {
    if (task.text.length <= inlineLength) return scan(task);
    return new Promise((resolve) => {
      if (waiting.length >= maxWaiting) return resolve(undefined);
      waiting.push({ task, resolve });
      if (worker === undefined) startWorker();
      else if (isReady && waiting.length === 1) begin();
    });
  }

  function startWorker(): void {
    const started = new Worker(new URL('./scan-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    worker = started;
    isReady = false;
    started.unref();
    timer = setTimeout(() => void started.terminate(), startMs);
    started.on('message', (message: 'ready' | Scanned) => answered(started, message));
    started.on('error', () => undefined); // 'exit' follows
    started.on('exit', () => ended(started));
  }

  function answered(from: Worker, message: 'ready' | Scanned): void {
    if (from !== worker) return;
    clearTimeout(timer);
    if (message === 'ready') isReady = true;
    else waiting.shift()?.resolve(message);
    begin();
  }

  function begin(): void {
    const [next] = waiting;
    if (next === undefined || worker === undefined) return;
    const used = worker;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
    used.postMessage(next.task);
    timer = setTimeout(() => void used.terminate(), scanMs);
  }

  /** What it was at is given up; what waits has its turn in another thread. */
  function ended(from: Worker): void {
    if (from !== worker) return;
    clearTimeout(timer);
    worker = undefined;
    waiting.shift()?.resolve(undefined);
    if (waiting.length > 0) startWorker();
  }

  function close(): void {
    const last = worker;
    worker = undefined;
    clearTimeout(timer);
    void last?.terminate();
    for (const { resolve } of waiting.splice(0)) resolve(undefined);
  }
}

export type Scanner = ReturnType<typeof scanner>;
