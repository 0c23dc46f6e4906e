// A worker thread that measures the machine for the soak: reading every process takes a tenth of a second, which would disturb the timing of visits.
import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { childrenOf, figuresOf, machineFigures, serverPid } from './processes.ts';

interface Question {
  gateway: number;
  postmaster: number;
  tag: string;
  dataDir: string;
}
type Answer = ReturnType<typeof answer>;

const lookMs = 60_000;

function answer({ gateway, postmaster, tag, dataDir }: Question) {
  const server = serverPid();
  return {
    server: server === undefined ? undefined : figuresOf([server]),
    gateway: figuresOf([gateway]),
    postgres: figuresOf([postmaster, ...childrenOf(postmaster)]),
    machine: machineFigures(tag, dataDir),
  };
}

/** Measures one sample at a time; throws after a minute. */
export function startSampler() {
  const worker = new Worker(new URL(import.meta.url));
  worker.unref();
  return async (question: Question): Promise<Answer> => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
    worker.postMessage(question);
    const [found] = (await once(worker, 'message', { signal: AbortSignal.timeout(lookMs) })) as [Answer];
    return found;
  };
}

parentPort?.on('message', (question: Question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
  parentPort?.postMessage(answer(question));
});
