// Loaded into the server by the soak run: writes the size of its heap after a collection to a file at intervals.
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const file = process.env.PADDOCK_SOAK_HEAP;
if (isMainThread && file) {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  setInterval(() => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${file}.new`, JSON.stringify({ heap_mb: heapUsed / 2 ** 20, external_mb: external / 2 ** 20 }));
    renameSync(`${file}.new`, file);
  }, 10_000).unref();
}
