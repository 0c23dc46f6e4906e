// Counts how many requests are due, in a thread that does nothing else; looks at most four times a millisecond.
import { workerData } from 'node:worker_threads';

const { due, begun, perSecond, total } = workerData;
const sleep = new Int32Array(new SharedArrayBuffer(4));
const step = Math.max(1, Math.round(perSecond / 4000));
for (let n = 0; n < total; n = Math.min(total, n + step)) {
  const wait = begun + (n * 1000) / perSecond - (performance.timeOrigin + performance.now());
  if (wait > 0) Atomics.wait(sleep, 0, 0, wait);
  Atomics.store(due, 0, Math.min(total, n + step));
  Atomics.notify(due, 0);
}
