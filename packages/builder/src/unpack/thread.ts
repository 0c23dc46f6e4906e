import { Worker } from 'node:worker_threads';
import { BuildError, quoteName } from '../build-error.ts';
import { maxPlannedCharacters, messageWaiting, notedReading, type Unpacked, type WorkerInput, type WorkerOutput } from './messages.ts';

/** Limits of the thread of one archive. A thread that exceeds them is terminated. */
export interface ThreadLimits {
  unpackMs: number;
  planMs: number;
  memoryMb: number;
}

/** Honest archives take a few seconds to unpack and some milliseconds to read. The rest is reserve for slow disks and busy machines. */
export const threadLimits: ThreadLimits = { unpackMs: 300_000, planMs: 30_000, memoryMb: 128 };

export interface ThreadResult {
  unpacked: Unpacked;
  /** The result of `planFolder`; empty if the request has no plan. */
  planned: string;
}

/**
 * Starting a thread takes longer than unpacking a small archive, and 80 ms of processor time, so a spare thread is kept ready while archives
 * come. It takes some 18 MB, so it ends after a while without any.
 */
let spare: Worker | undefined;
let preparing: NodeJS.Timeout | undefined;
let ending: NodeJS.Timeout | undefined;
/** The pause lets the unpacked agent start first: the spare thread would take processor time from it. */
const preparePauseMs = 1000;
const usualIdleMs = 600_000;

/** A thread that has read a small archive to its end serves the next one, up to this number. */
const maxArchives = 50;
const smallArchive = { files: 1_000, bytes: 16 * 1024 ** 2 };
const archivesRead = new WeakMap<Worker, number>();

/** Starts a spare thread for an archive that begins to arrive. The thread does not keep the process alive. */
export function prepareUnpacking(idleMs = usualIdleMs): void {
  clearTimeout(preparing);
  if (spare === undefined) spare = newWorker(threadLimits.memoryMb, messageWaiting);
  spare.unref();
  endAfter(idleMs);
}

function prepareLater(): void {
  clearTimeout(preparing);
  preparing = setTimeout(() => prepareUnpacking(), preparePauseMs).unref();
  endAfter(usualIdleMs);
}

function endAfter(idleMs: number): void {
  clearTimeout(ending);
  ending = setTimeout(() => {
    const idle = spare;
    spare = undefined;
    void idle?.terminate();
  }, idleMs).unref();
}

function newWorker(memoryMb: number, workerData?: string): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    workerData,
  });
  // A spare thread that exits is dropped. The next archive starts a new thread, whose error is reported.
  for (const end of ['error', 'exit']) worker.on(end, () => (spare = spare === worker ? undefined : spare));
  return worker;
}

function takeWorker(memoryMb: number): Worker {
  if (memoryMb !== threadLimits.memoryMb || spare === undefined) return newWorker(memoryMb);
  const worker = spare;
  spare = undefined;
  return worker;
}

/** Keeps the thread as the spare one, or ends it. Its result was its last act. Ending it takes 20 ms, which the build need not wait for. */
function giveBack(worker: Worker, { memoryMb }: ThreadLimits, { files, bytes }: Unpacked): void {
  const count = (archivesRead.get(worker) ?? 0) + 1;
  archivesRead.set(worker, count);
  const isSmall = files <= smallArchive.files && bytes <= smallArchive.bytes;
  if (spare === undefined && isSmall && count < maxArchives && memoryMb === threadLimits.memoryMb) {
    spare = worker;
    worker.unref();
  } else void worker.terminate();
}

/**
 * Does all work on one archive in a thread. Fails with a BuildError when the thread refuses the archive or exceeds `limits`. After success
 * or failure the thread writes nothing more.
 */
export async function runThread(input: WorkerInput, limits: ThreadLimits, signal: AbortSignal): Promise<ThreadResult> {
  const worker = takeWorker(limits.memoryMb);
  worker.ref();
  const { promise, resolve, reject } = Promise.withResolvers<ThreadResult>();
  const reading = () => (input.plan === undefined ? '' : notedReading(input.plan.reading));
  let unpacked: Unpacked | undefined;
  const isOver = () => reject(unpacked === undefined ? unpackTimedOut(limits) : planTimedOut(limits, reading()));
  let stopClock = startClock(limits.unpackMs, isOver);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const onMessage = (output: WorkerOutput) => {
    if ('refused' in output) {
      const { step, code, message, hint, choices } = output.refused;
      return reject(new BuildError(step, code, { message, hint, choices }));
    }
    if ('unpacked' in output) {
      unpacked = output.unpacked;
      stopClock();
      if (input.plan === undefined) return resolve({ unpacked, planned: '' });
      stopClock = startClock(limits.planMs, isOver);
      return;
    }
    if (unpacked === undefined || output.planned.length > maxPlannedCharacters) return reject(endedEarly());
    resolve({ unpacked, planned: output.planned });
  };
  const onError = (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(limits, unpacked !== undefined, reading()) : error);
  const onExit = () => reject(endedEarly());
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  worker.postMessage(input);
  try {
    const result = await promise;
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    giveBack(worker, limits, result.unpacked);
    return result;
  } catch (error) {
    // A thread that is still running could write into a folder that the caller removes after a failure.
    await worker.terminate();
    throw error;
  } finally {
    stopClock();
    signal.removeEventListener('abort', abort);
    prepareLater();
  }
}

const clockSteps = 30;

/**
 * Calls `end` after `ms` during which the server ran. The clock counts steps: a pause of the whole process (a stopped process, a suspended
 * machine) counts as one step, so the thread's result is read before the time is over.
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

function unpackTimedOut({ unpackMs }: ThreadLimits): BuildError {
  return new BuildError('unpack', 'unpack_timed_out', {
    message: `Unpacking the archive took longer than ${seconds(unpackMs)} and was ended.`,
    hint: 'Make the archive smaller: leave node_modules, .venv, models and data sets out. If it is small, the disk of the server may be too slow: ask the operator.',
  });
}

function planTimedOut({ planMs }: ThreadLimits, path: string): BuildError {
  return new BuildError('detect', 'detect_timed_out', {
    message: `${file(path)} took longer than ${seconds(planMs)} and was ended.`,
    hint: path === '' ? smaller : 'Look at that file: leave it out, or write it in a shorter and simpler form, then deploy again.',
  });
}

function outOfMemory({ memoryMb }: ThreadLimits, isUnpacked: boolean, path: string): BuildError {
  const what = isUnpacked ? file(path) : 'Unpacking the archive';
  return new BuildError(isUnpacked ? 'detect' : 'unpack', isUnpacked ? 'detect_out_of_memory' : 'unpack_out_of_memory', {
    message: `${what} took more than ${memoryMb} MB of memory and was ended.`,
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
