import type { Worker } from 'node:worker_threads';
import type { ExchangeCopy } from './copies.ts';

/** What goes to the worker; it says the number back once it has read the copy. */
export interface Delivery {
  number: number;
  copy: ExchangeCopy;
}

/** Hands copies to a worker, their memory with them. A worker that ends reads no more: what waits for it is given up. */
export function deliverTo(worker: Worker): (copy: ExchangeCopy, transfer: ArrayBuffer[]) => Promise<void> {
  const waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  let last = 0;
  let hasEnded = false;
  worker.on('message', (number: number) => {
    waiting.get(number)?.resolve();
    waiting.delete(number);
  });
  worker.on('error', () => undefined); // 'exit' follows
  worker.on('exit', () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(new Error('the worker that reads copies has ended'));
    waiting.clear();
  });
  return (copy, transfer) => {
    if (hasEnded) return Promise.reject(new Error('the worker that reads copies has ended'));
    last += 1;
    const number = last;
    return new Promise((resolve, reject) => {
      waiting.set(number, { resolve, reject });
      worker.postMessage({ number, copy } satisfies Delivery, transfer);
    });
  };
}
