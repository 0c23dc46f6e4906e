import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range from which systems take ports for outgoing connections: nobody takes one while its server restarts.
const LOWEST = 20_000;
const HIGHEST = 32_000;
const ATTEMPTS = 200;

/** Of choices that are under way in this process: two databases that start at once get two ports. */
const claimed = new Set<number>();

/** A port of 127.0.0.1 that nothing listens on, none of `avoid`. `keep` writes it down before another choice can fall on it. */
export async function choosePort(avoid: Set<number>, keep: (port: number) => void | Promise<void>): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
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
  throw new Error(`Found no free port for a database between ${LOWEST} and ${HIGHEST} on 127.0.0.1.`);
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
