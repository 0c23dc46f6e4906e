import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { postgresBinaries } from '@paddock/database-driver';
import { type Launcher, launcher } from './launch.ts';

/** The database administrator's name. Its password is in `postgres.secret`. */
export const ADMIN = 'paddock';

/** The data folder of the embedded PostgreSQL, as a path of this process. */
export const embeddedFolder = (dataDir: string): string => join(resolve(dataDir), 'postgres');

/** A database folder that was initialised and can be started. */
export type Cluster = { folder: string; password: string; run: Launcher['run'] };

/**
 * Opens `<dataDir>/postgres`. Initialises it first if it is missing, which takes a second after `begun`. The incomplete folder of an interrupted
 * start is created again.
 */
export async function openCluster(dataDir: string, signal: AbortSignal, begun?: () => void): Promise<Cluster> {
  const folder = embeddedFolder(dataDir);
  const secret = join(dataDir, 'postgres.secret');
  const { uid, run } = launcher(postgresBinaries(), folder);
  if (!existsSync(folder)) {
    const draft = join(dataDir, 'postgres.draft');
    rmSync(draft, { recursive: true, force: true });
    const password = existsSync(secret) ? readFileSync(secret, 'utf8').trim() : newSecret(secret);
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(join(draft, 'password'), password, { mode: 0o600 });
    if (uid !== undefined) for (const path of [draft, join(draft, 'password')]) chownSync(path, uid, uid);
    const initialised = initialise(run, draft, signal);
    begun?.();
    await initialised;
    renameSync(join(draft, 'data'), folder);
    rmSync(draft, { recursive: true });
  }
  if (!existsSync(secret))
    throw new Error(`${secret} is missing: it holds the password of the database in ${folder}. Put it back from your backup.`);
  return { folder, password: readFileSync(secret, 'utf8').trim(), run };
}

function newSecret(file: string): string {
  const password = randomBytes(32).toString('base64url');
  writeFileSync(`${file}.draft`, password, { mode: 0o600, flush: true });
  renameSync(`${file}.draft`, file);
  return password;
}

async function initialise(run: Launcher['run'], draft: string, signal: AbortSignal): Promise<void> {
  const args = (room: string) => {
    const place = ['-D', join(room, 'data'), '-U', ADMIN, `--pwfile=${join(room, 'password')}`, '--auth=scram-sha-256'];
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    return [...place, ...locale, '--no-instructions'];
  };
  const child = run('initdb', { folder: draft, args, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (text: Buffer) => {
    output = (output + text).slice(-4_000);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const [code] = (await once(child, 'close').finally(() => signal.removeEventListener('abort', kill))) as [number | null];
  signal.throwIfAborted();
  if (code === 0) return;
  const hint = /^(unshare|mount|setpriv): /m.test(output)
    ? '\nAs root, PostgreSQL needs private mounts, which this machine refuses. Start Paddock as an ordinary user, or set PADDOCK_DATABASE_URL.'
    : '';
  throw new Error(`Could not create the database folder (initdb ended with ${code}):\n${output.trim()}${hint}`);
}
