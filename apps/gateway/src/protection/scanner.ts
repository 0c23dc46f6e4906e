import { Worker } from 'node:worker_threads';
import { fairPlaces, fairQueue } from '@paddock/network';
import { type Scanned, type ScanTask, scan } from './scan.ts';

export interface ScannerLimits {
  /** Longer texts are scanned in a thread. */
  inlineLength: number;
  /** Timeout of one text; then the thread is terminated. */
  scanMs: number;
  /** Texts that may wait for the thread or be in progress, shared by all teams. */
  maxWaiting: number;
}

interface Waiting {
  task: ScanTask;
  resolve: (scanned: Scanned | undefined) => void;
}

/** Timeout of the thread's start. */
const startMs = 10_000;

/** Scans texts: short ones inline, long ones in a thread, one after the other, each with a timeout. Teams take turns. */
export function scanner({ inlineLength, scanMs, maxWaiting }: ScannerLimits) {
  const places = fairPlaces(maxWaiting);
  const waiting = fairQueue<Waiting>();
  let running: Waiting | undefined;
  let worker: Worker | undefined;
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  /** A scanner for the texts of one team. `scanned` resolves to undefined if there was no time for the text. */
  const of = (team_id: string) => ({ scanned: (task: ScanTask) => scanned(team_id, task) });
  return { of, close };

  function scanned(team_id: string, task: ScanTask): Scanned | Promise<Scanned | undefined> {
    if (task.text.length <= inlineLength) return scan(task);
    const leave = places.take(team_id);
    if (!leave) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Scanned | undefined>();
    waiting.push(team_id, { task, resolve });
    if (worker === undefined) startWorker();
    else if (isReady && running === undefined) begin();
    return promise.finally(leave);
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
    else finish(message);
    begin();
  }

  function begin(): void {
    if (worker === undefined) return;
    running = waiting.shift();
    if (running === undefined) return;
    const used = worker;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
    used.postMessage(running.task);
    timer = setTimeout(() => void used.terminate(), scanMs);
  }

  /** Fails the current task; waiting tasks are processed by another thread. */
  function ended(from: Worker): void {
    if (from !== worker) return;
    clearTimeout(timer);
    worker = undefined;
    finish(undefined);
    if (!waiting.isEmpty()) startWorker();
  }

  function finish(scanned: Scanned | undefined): void {
    running?.resolve(scanned);
    running = undefined;
  }

  function close(): void {
    const last = worker;
    worker = undefined;
    clearTimeout(timer);
    void last?.terminate();
    finish(undefined);
    for (let next = waiting.shift(); next; next = waiting.shift()) next.resolve(undefined);
  }
}

export type Scanner = ReturnType<ReturnType<typeof scanner>['of']>;
