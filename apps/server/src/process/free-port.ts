import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

// Below the ephemeral port range, so that no outgoing connection takes the port while its server restarts.
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;
const MAX_ATTEMPTS = 50;

/**
 * A free port on 127.0.0.1, the same as last time if it is still free: gateways and agents, which outlive a crash of the server, find the new
 * listener at the address that they know.
 */
export async function freePort(file: string): Promise<number> {
  const last = lastPort(file);
  if (last !== undefined && (await isFree(last))) return last;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (!(await isFree(port))) continue;
    writeFileSync(file, String(port));
    return port;
  }
  throw new Error(`Found no free port (${file}) between ${MIN_PORT} and ${MAX_PORT} on 127.0.0.1.`);
}

function lastPort(file: string): number | undefined {
  try {
    const port = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(port) && port >= MIN_PORT && port < MAX_PORT ? port : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether nothing listens on the port at this address; at `0.0.0.0`, at any. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return true;
  } catch {
    return false; // taken
  } finally {
    server.close();
  }
}
