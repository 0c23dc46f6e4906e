import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Instance, InstanceSpec, Limits, RuntimeDriver } from '../driver.ts';

export const NODE = '/opt/node/bin/node';
export const LIMITS: Limits = { memory_mb: 256, cpus: 1, processes: 64, disk_mb: 100, open_files: 1024 };
/** The small program that all tests run. */
export const AGENT = fileURLToPath(new URL('../fixtures/agent.mjs', import.meta.url));

let count = 0;

/** Creates a folder with only the test agent, and returns a function that makes specs to run it. */
export async function testApp(root: string): Promise<(behaviour: string[], change?: Partial<InstanceSpec>) => InstanceSpec> {
  const app = join(root, 'artifact');
  await mkdir(app, { recursive: true });
  writeFileSync(join(app, 'agent.mjs'), readFileSync(AGENT));
  return (behaviour, change = {}) => ({
    id: `i${process.pid}-${++count}`,
    deployment_id: 'deployment',
    owner: 'owner',
    generation: 1,
    app_dir: app,
    mounts: [{ from: dirname(dirname(process.execPath)), at: '/opt/node' }],
    cwd: '',
    command: [NODE, 'agent.mjs', ...behaviour],
    env: {},
    limits: LIMITS,
    egress: { allow: [] },
    ...change,
  });
}

export async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined, timeoutMs = 10_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${timeoutMs} ms`);
    await sleep(10);
  }
}

/** Waits for the agent's first open port and returns a function that requests a path there. */
export async function reach(driver: RuntimeDriver, id: string): Promise<(path: string) => Promise<unknown>> {
  const open = await until('listening', async () => (await driver.listening(id))[0]);
  const where = await driver.expose(id, open.port);
  return async (path) => {
    const response = await fetch(`http://${where.host}:${where.port}${path}`, { signal: AbortSignal.timeout(10_000) });
    return response.json();
  };
}

export function exited(driver: RuntimeDriver, id: string, timeoutMs = 10_000): Promise<NonNullable<Instance['exit']>> {
  return until('exit', async () => (await driver.list()).find((instance) => instance.id === id)?.exit, timeoutMs);
}

/** A service on the loopback of this machine that responds with its name. */
export async function loopbackService(name: string, port = 0): Promise<{ port: number; close(): void }> {
  const server = createServer((_, response) => response.end(name)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.unref(); // a failing test does not close it
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Host processes with this word on their command line. */
export function processesWith(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        return false;
      }
    });
}
