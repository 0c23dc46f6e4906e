// A worker thread that visits the gateway and measures the time, so that the soak's other work does not count as a visitor's wait.
import { Agent, get } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Question {
  id: number;
  port: number;
  host: string;
  /** Use a kept connection, or a new one. */
  isKept: boolean;
}
export interface Answer {
  /** 0 when the visit failed without a response. */
  status: number;
  body: string;
  /** Time from before the connection was made until the whole response had arrived. */
  ms: number;
}

const visitMs = 15_000;
const marker = 'visitors of the soak';

export function startVisitors() {
  const worker = new Worker(new URL(import.meta.url), { workerData: marker });
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  worker.on('message', ({ id, ...answer }: Answer & { id: number }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  // Without the worker no visit is measured any more, and the run is worthless.
  worker.on('error', (error) => {
    throw error;
  });
  return {
    /** Never rejects. */
    visit: (port: number, host: string, isKept: boolean) =>
      new Promise<Answer>((resolve) => {
        const id = ++last;
        waiting.set(id, resolve);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
        worker.postMessage({ id, port, host, isKept } satisfies Question);
      }),
    close: () => worker.terminate(),
  };
}

type Target = { port: number; host: string; path?: string };

/**
 * GET through the gateway. A visit that fails without a response has the status 0. Never rejects. A kept connection that was closed just
 * before its next use is no failure: every client retries on a new one.
 */
export function ask({ port, host, path = '/' }: Target, agent: Agent | false): Promise<Omit<Answer, 'ms'>> {
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, body: error.message });
    const call = get({ host: '127.0.0.1', port, path, headers: { host }, agent, timeout: visitMs }, (answer) => {
      let body = '';
      answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      answer.on('error', failed);
    });
    call.on('timeout', () => call.destroy(new Error('time-out')));
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (call.reusedSocket && error.code === 'ECONNRESET') ask({ port, host, path }, false).then(resolve, failed);
      else failed(error);
    });
  });
}

if (!isMainThread && workerData === marker) {
  const kept = new Agent({ keepAlive: true, maxSockets: 16 });
  const answer = async ({ id, port, host, isKept }: Question) => {
    const begun = performance.now();
    const found = await ask({ port, host }, isKept ? kept : false);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
    parentPort?.postMessage({ id, ...found, ms: performance.now() - begun });
  };
  parentPort?.on('message', (question: Question) => void answer(question));
}
