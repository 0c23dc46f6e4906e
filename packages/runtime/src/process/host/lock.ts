import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a tool of the host may run, which is the longest work under a lock. */
const MAX_WAIT_MS = 60_000;

/**
 * Runs `work` while no other process of this machine runs work under the same name. The lock is a bound abstract socket. The kernel frees
 * it when its holder dies, so there are no stale locks.
 */
export async function withLock<T>(name: string, work: () => Promise<T>, timeoutMs = MAX_WAIT_MS): Promise<T> {
  const release = await acquire(name, timeoutMs);
  try {
    return await work();
  } finally {
    await release();
  }
}

/** Takes the lock if it is free, without waiting; undefined otherwise. For work that only one of several processes does. */
export async function tryLock(name: string): Promise<(() => Promise<void>) | undefined> {
  return bind(addressOf(name));
}

/** An abstract socket's name begins with NUL. */
const addressOf = (name: string) => `\0paddock-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;

async function acquire(name: string, timeoutMs: number): Promise<() => Promise<void>> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 2; ; pause = Math.min(pause * 1.5, 40)) {
    const release = await bind(addressOf(name));
    if (release) return release;
    if (performance.now() > deadline) throw new Error(`Another process has held the lock "${name}" for more than ${timeoutMs} ms.`);
    await sleep(pause);
  }
}

function bind(address: string): Promise<(() => Promise<void>) | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<(() => Promise<void>) | undefined>();
  const server = createServer((socket) => socket.destroy());
  server.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
  server.listen({ path: address, exclusive: true }, () => {
    server.unref();
    resolve(() => new Promise((done) => server.close(() => done())));
  });
  return promise;
}
