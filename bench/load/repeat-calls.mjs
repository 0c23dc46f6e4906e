// A thread that repeats one call of the API, one answer after the other, and reads each answer to its end, until it is ended.
import { parentPort, workerData } from 'node:worker_threads';

const { url, token, method, body } = workerData;
const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
for (;;) {
  const answer = await fetch(url, { method, headers, body });
  let bytes = 0;
  for await (const chunk of answer.body) bytes += chunk.length;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origins
  parentPort.postMessage({ status: answer.status, bytes });
}
