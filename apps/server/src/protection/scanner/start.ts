import { Worker } from 'node:worker_threads';
import type { Answer, FindIn, Found, MaskedTexts, MaskTexts, Question, Ready } from './questions.ts';

/** Heap limit. */
const memoryMb = 96;
/** A task that takes longer fails, and its thread is terminated. A busy machine may take long to start the thread, and to schedule it. */
const usualWaitMs = 30_000;
const startMs = 60_000;
const idleMs = 60_000;

export type Scanner = ReturnType<typeof startScanner>;

/** The thread did not respond: the task must not be repeated. */
export class GivenUp extends Error {}

interface Waiting {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/**
 * Scans texts in a thread, one task after another; the thread is started with the first one, and ends after a while without tasks. Rejects with
 * GivenUp if it exits or takes too long for a task, and with another error if it cannot be started.
 */
export function startScanner({ waitMs = usualWaitMs }: { waitMs?: number } = {}) {
  const waiting: Waiting[] = [];
  let current: Waiting | undefined;
  let thread: Worker | undefined;
  let isUp = false;
  let timer: NodeJS.Timeout | undefined;

  return {
    mask: (question: MaskTexts) => ask(question) as Promise<MaskedTexts>,
    find: (question: FindIn) => ask(question) as Promise<Found>,
  };

  function ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting.push({ question, resolve, reject });
    next();
    return promise;
  }

  function next(): void {
    if (current) return;
    clearTimeout(timer);
    current = waiting.shift();
    if (!current) {
      thread?.unref();
      timer = setTimeout(end, idleMs).unref();
      return;
    }
    try {
      thread ??= start();
    } catch (error) {
      settle((one) => one.reject(error as Error));
      return;
    }
    thread.ref();
    timer = isUp ? limit() : setTimeout(() => notStarted(new Error('the scanner does not start')), startMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
    thread.postMessage(current.question);
  }

  function start(): Worker {
    const started = new Worker(new URL('./thread.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    started.on('message', (answer: Answer | Ready) => {
      if (started !== thread) return;
      if (!('ready' in answer)) return settle((one) => one.resolve(answer));
      isUp = true;
      if (!current) return;
      clearTimeout(timer);
      timer = limit();
    });
    started.once('error', (error) => {
      if (started !== thread) return;
      if (isUp) giveUp(`failed: ${error.message}`);
      else notStarted(error);
    });
    return started;
  }

  function limit(): NodeJS.Timeout {
    return setTimeout(() => giveUp('took too long'), waitMs);
  }

  function notStarted(error: Error): void {
    end();
    settle((one) => one.reject(error));
  }

  function giveUp(why: string): void {
    end();
    settle((one) => one.reject(new GivenUp(`scanning ${why}`)));
  }

  function end(): void {
    void thread?.terminate();
    thread = undefined;
    isUp = false;
  }

  function settle(how: (one: Waiting) => void): void {
    const one = current;
    current = undefined;
    if (one) how(one);
    next();
  }
}
