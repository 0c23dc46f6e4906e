// For `node --import`: appends the time at which the server passes each failpoint to the file MARKS.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const mark = (name) => appendFileSync(process.env.MARKS, `${performance.timeOrigin + performance.now()} ${name}\n`);

if (isMainThread) Object.assign(globalThis, { __failpoint: async (name) => mark(name) });
