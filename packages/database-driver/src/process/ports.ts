import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range of ports for outgoing connections, so that no connection takes the port while a server restarts.
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;
const ATTEMPTS = 200;

/** Ports that this process is choosing right now, so that two databases starting at once get different ports. */
const claimed = new Set<number>();

/** A port of 127.0.0.1 on which nothing listens and that is not in `avoid`. `keep` records the port before another call can choose it. */
export async function choosePort(avoid: Set<number>, keep: (port: number) => void | Promise<void>): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (avoid.has(port) || claimed.has(port)) continue;
    claimed.add(port);
    try {
      if (!(await isFree(port))) continue;
      await keep(port);
      return port;
    } finally {
      claimed.delete(port);
    }
  }
  throw new Error(`Found no free port for a database between ${MIN_PORT} and ${MAX_PORT} on 127.0.0.1.`);
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    server.close();
  }
}
