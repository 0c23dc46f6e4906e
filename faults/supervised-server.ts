import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileCache, type Scope, until } from '../apps/server/test/platform.ts';
import { runMark } from '../scripts/test/leftovers.ts';
import { programOf } from '../scripts/test/product.ts';
import type { Points } from './failpoints/points.ts';

const root = join(import.meta.dirname, '..');
const supervise = pathToFileURL(join(root, 'scripts/bootstrap/supervise.mjs')).href;

/** The API with the embedded PostgreSQL, as `npm start` runs it once everything is installed, with failpoints. */
export async function startSupervised(scope: Scope, port: number, points: Points) {
  const dataDir = mkdtempSync(join(tmpdir(), 'paddock-supervised-'));
  const args = [...points.execArgv, programOf('server', points.execArgv)];
  const leftovers = [join(root, 'apps/server/src/process/end-orphans.ts')];
  const code = `import { supervise } from ${JSON.stringify(supervise)};
    supervise(process.execPath, ${JSON.stringify(args)}, { leftovers: ${JSON.stringify(leftovers)} });`;
  const env = {
    PATH: process.env.PATH ?? '',
    ...compileCache(),
    ...runMark(),
    ...points.env,
    PADDOCK_ROLE: 'api',
    PADDOCK_PORT: String(port),
    PADDOCK_DATA_DIR: dataDir,
    PADDOCK_LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit').then(([exit]) => exit as number | null);
  scope.after(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  });
  await until('the server is ready', async () => output.includes('is ready:'));
  return {
    dataDir,
    output: () => output,
    signal: (name: NodeJS.Signals) => child.kill(name),
    /** Resolves with the supervisor's exit code. */
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    timesReady: () => output.split('is ready:').length - 1,
  };
}
