import { Worker } from 'node:worker_threads';
import { BuildError, quoteName } from '../build-error.ts';
import { notedReading, plannedMost, type Unpacked, type WorkerInput, type WorkerOutput, waiting } from './messages.ts';

/** What the thread of one archive may take before it is ended. */
export interface ThreadLimits {
  unpack_ms: number;
  plan_ms: number;
  memory_mb: number;
}

/** Honest archives take a few seconds to unpack and some milliseconds to read; the rest is for slow disks and busy machines. */
export const threadLimits: ThreadLimits = { unpack_ms: 300_000, plan_ms: 30_000, memory_mb: 128 };

export interface ThreadResult {
  unpacked: Unpacked;
  /** As `planFolder` gives it; empty where no plan was asked for. */
  planned: string;
  durations: { unpack_ms: number; plan_ms: number };
}

/** Starting a thread takes longer than unpacking a small archive: one waits for the next archive. Each serves one archive only. */
let spare: Worker | undefined;
let preparing: NodeJS.Timeout | undefined;
/** Until then the agent that was just unpacked has the processor for its start. */
const preparePauseMs = 1000;

/** Sees to it that a thread waits for the next archive, before long. It keeps no process alive. */
export function prepareUnpacking(): void {
  clearTimeout(preparing);
  preparing = setTimeout(() => {
    if (spare) return;
    const worker = newWorker(threadLimits.memory_mb, waiting);
    spare = worker;
    worker.unref();
    // The next archive then gets a new one, and that one's error is told.
    for (const end of ['error', 'exit']) worker.once(end, () => (spare = spare === worker ? undefined : spare));
  }, preparePauseMs).unref();
}

function newWorker(memoryMb: number, workerData?: string): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData,
  });
}

function takeWorker(memoryMb: number): Worker {
  if (memoryMb !== threadLimits.memory_mb || spare === undefined) return newWorker(memoryMb);
  const worker = spare;
  spare = undefined;
  return worker;
}

/**
 * Has a thread do all work on one archive. Rejects with a BuildError when the thread refuses the archive or takes more than
 * `limits`; whatever the outcome the thread writes nothing more afterwards.
 */
export async function runThread(input: WorkerInput, limits: ThreadLimits, signal: AbortSignal): Promise<ThreadResult> {
  const worker = takeWorker(limits.memory_mb);
  worker.ref();
  const { promise, resolve, reject } = Promise.withResolvers<ThreadResult>();
  const reading = () => (input.plan === undefined ? '' : notedReading(input.plan.reading));
  let unpacked: { unpacked: Unpacked; ms: number } | undefined;
  const isOver = () => reject(unpacked === undefined ? unpackTimedOut(limits) : planTimedOut(limits, reading()));
  let stopClock = startClock(limits.unpack_ms, isOver);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (output: WorkerOutput) => {
    if ('refused' in output) {
      const { step, code, message, hint } = output.refused;
      return reject(new BuildError(step, code, { message, hint }));
    }
    if ('unpacked' in output) {
      unpacked = output;
      stopClock();
      if (input.plan === undefined) return resolve(resultOf(output, '', 0));
      stopClock = startClock(limits.plan_ms, isOver);
      return;
    }
    if (unpacked === undefined || output.planned.length > plannedMost) return reject(endedEarly());
    resolve(resultOf(unpacked, output.planned, output.ms));
  });
  worker.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(limits, unpacked !== undefined, reading()) : error),
  );
  worker.on('exit', () => reject(endedEarly()));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  worker.postMessage(input);
  try {
    return await promise;
  } finally {
    stopClock();
    signal.removeEventListener('abort', abort);
    // What is to be removed after a failure then stays removed.
    await worker.terminate();
    prepareUnpacking();
  }
}

function resultOf({ unpacked, ms }: { unpacked: Unpacked; ms: number }, planned: string, plan_ms: number): ThreadResult {
  return { unpacked, planned, durations: { unpack_ms: ms, plan_ms } };
}

const clockSteps = 30;

/**
 * Calls `end` after `ms` of a living server. It counts steps: after a pause of the whole process (a stopped process, a machine
 * that slept) one step has passed, not all of them, and the thread's own answer is read first.
 */
function startClock(ms: number, end: () => void): () => void {
  let left = clockSteps;
  const timer = setInterval(() => {
    left -= 1;
    if (left === 0) end();
  }, ms / clockSteps);
  return () => clearInterval(timer);
}

const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
const smaller = 'Leave out files that are unusually large or that a program made, then deploy again.';

function unpackTimedOut({ unpack_ms }: ThreadLimits): BuildError {
  return new BuildError('unpack', 'unpack_timed_out', {
    message: `Unpacking the archive took longer than ${seconds(unpack_ms)} and was ended.`,
    hint: 'Make the archive smaller: leave node_modules, .venv, models and data sets out. If it is small, the disk of the server may be too slow: ask the operator.',
  });
}

function planTimedOut({ plan_ms }: ThreadLimits, path: string): BuildError {
  return new BuildError('detect', 'detect_timed_out', {
    message: `${file(path)} took longer than ${seconds(plan_ms)} and was ended.`,
    hint: path === '' ? smaller : 'Look at that file: leave it out, or write it in a shorter and simpler form, then deploy again.',
  });
}

function outOfMemory({ memory_mb }: ThreadLimits, isUnpacked: boolean, path: string): BuildError {
  const what = isUnpacked ? file(path) : 'Unpacking the archive';
  return new BuildError(isUnpacked ? 'detect' : 'unpack', isUnpacked ? 'detect_out_of_memory' : 'unpack_out_of_memory', {
    message: `${what} took more than ${memory_mb} MB of memory and was ended.`,
    hint: smaller,
  });
}

const file = (path: string) => (path === '' ? 'Reading the archive’s files' : `Reading ${quoteName(path)}`);

function endedEarly(): BuildError {
  return new BuildError('unpack', 'unpack_failed', {
    message: 'The thread that reads the archive ended without a result.',
    hint: 'Deploy again; if it fails once more, ask the operator to look at the server’s log.',
  });
}
