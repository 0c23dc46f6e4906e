import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../apps/server/src/db/connect.ts';
import { compileCache, type Scope } from '../apps/server/test/platform.ts';
import { testDatabase } from '../apps/server/test/postgres.ts';
import { runMark } from '../scripts/test/leftovers.ts';
import { programOf } from '../scripts/test/product.ts';

/** A server that may fail to start: the API alone, on free ports, with a data directory of its own. */
export function startServer(scope: Scope, settings: Record<string, string>, execArgv: string[] = []) {
  const dataDir = mkdtempSync(join(tmpdir(), 'paddock-server-'));
  const env = {
    PATH: process.env.PATH ?? '',
    ...compileCache(),
    ...runMark(),
    PADDOCK_ROLE: 'api',
    PADDOCK_PORT: '0',
    PADDOCK_DATA_DIR: dataDir,
    ...settings,
  };
  const begun = performance.now();
  const child = spawn(process.execPath, [...execArgv, programOf('server', execArgv)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    ...{ code: code as number | null, signal: signal as string | null },
    ms: Math.round(performance.now() - begun),
  }));
  scope.after(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    output: () => output,
    kill: () => child.kill('SIGKILL'),
    /** Resolves with the exit; throws after the timeout. */
    ended: (seconds = 300) =>
      Promise.race([
        ended,
        sleep(seconds * 1000, undefined, { ref: false }).then(() => {
          throw new Error(`the server still runs after ${seconds} s:\n${output}`);
        }),
      ]),
    async ready() {
      for (let tries = 0; tries < 600 && !output.includes('is ready:'); tries++) {
        if (child.exitCode !== null || child.signalCode) throw new Error(`the server ended:\n${output}`);
        await sleep(50);
      }
    },
  };
}

/** An empty database. */
export async function emptyDatabase(scope: Scope) {
  const { url, drop } = await testDatabase();
  const sql = connect(url, { max: 1, name: 'faults' });
  await sql.unsafe('drop schema public cascade; create schema public');
  scope.after(async () => {
    await sql.end();
    await drop();
  });
  return { url, sql };
}
