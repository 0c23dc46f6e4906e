// For `node --import`: appends the time at which the server passes each failpoint to the file MARKS.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  globalThis.__failpoint = async (name) => appendFileSync(process.env.MARKS, `${performance.timeOrigin + performance.now()} ${name}\n`);
