import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { DATABASE, type DatabaseAddress, USER } from '../../driver.ts';

const VERSION_MS = 5_000;
const LOCK_MS = 60_000;
const MAX_ERROR_CHARACTERS = 2_000;

/** A pg_dump of this machine that can read the server. */
export interface PgDump {
  /** Version of pg_dump, such as 18.1. */
  version: string;
  /**
   * The database as plain SQL, without owners and privileges. The stream fails with pg_dump's error output if the dump is incomplete;
   * `signal` aborts it.
   */
  exportSql(address: DatabaseAddress, password: string, signal: AbortSignal): Readable;
}

/**
 * The newest pg_dump in the folders of `path` whose major version is at least the server's, because an older pg_dump refuses the server.
 */
export async function pgDumpFor(serverVersion: string, path: string): Promise<PgDump | undefined> {
  const wanted = Number.parseInt(serverVersion, 10);
  const found: { program: string; version: string }[] = [];
  for (const folder of new Set(path.split(delimiter).filter(isAbsolute))) {
    const program = join(folder, 'pg_dump');
    const version = await readVersion(program);
    if (version !== undefined && Number.parseInt(version, 10) >= wanted) found.push({ program, version });
  }
  const [best] = found.sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
  if (!best) return undefined;
  return { version: best.version, exportSql: (address, password, signal) => dump(best.program, address, { path, password, signal }) };
}

async function readVersion(program: string): Promise<string | undefined> {
  try {
    await access(program, constants.X_OK);
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: VERSION_MS });
    return /\(PostgreSQL\) (\d+(?:\.\d+)*)/.exec(stdout)?.[1];
  } catch {
    return undefined; // this folder has no pg_dump, or it does not run
  }
}

function dump(
  program: string,
  { host, port }: DatabaseAddress,
  { path, password, signal }: { path: string; password: string; signal: AbortSignal },
): Readable {
  const target = ['--host', host, '--port', String(port), '--username', USER, '--dbname', DATABASE, '--no-password'];
  // The password is passed in the environment, which no other user of the machine can read.
  const env = { PATH: path, LC_ALL: 'C.UTF-8', PGPASSWORD: password, PGCONNECT_TIMEOUT: '10', PGSSLMODE: 'disable' };
  // Without a bound, a session that locks a table blocks the export.
  const bounds = ['--lock-wait-timeout', String(LOCK_MS)];
  const child = spawn(program, [...target, ...bounds, '--no-owner', '--no-privileges', '--encoding=UTF8'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  const output = new PassThrough();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors = (errors + text).slice(-MAX_ERROR_CHARACTERS)));
  child.on('error', (error) => output.destroy(error));
  // The stream ends with pg_dump's exit, which alone shows whether the dump is complete.
  child.stdout.pipe(output, { end: false });
  child.on('close', (code) => {
    if (code === 0) output.end();
    else output.destroy(new Error(`pg_dump ended with ${code ?? 'a signal'}: ${errors.trim() || 'it gave no reason.'}`));
  });
  output.on('close', () => child.kill('SIGKILL'));
  return output;
}
