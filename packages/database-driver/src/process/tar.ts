import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inFolder } from '@paddock/safe-files';

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', COPYFILE_DISABLE: '1' };
const MAX_STDERR_CHARACTERS = 4_000;

/** A folder that tar reads or writes. */
export interface Place {
  folder: string;
  /** User id under which tar runs; undefined for our own. */
  owner: number | undefined;
}

export interface PackOptions {
  include?: string[] | undefined;
  exclude?: string[] | undefined;
  /** Receives the archive, and is not closed. */
  to: Writable;
  signal: AbortSignal;
}

/**
 * Writes a tar of names in the folder. tar runs as the owner from within the folder: whatever a server may have put there, the archive
 * contains only files that this owner may read. Files may grow, shrink and vanish during the call.
 */
export async function packFolder(place: Place, { include, exclude, to, signal }: PackOptions): Promise<void> {
  const excluded = (exclude ?? []).flatMap((pattern) => ['--exclude', `./${pattern}`]);
  // Names are passed on standard input, because there may be more than an argument list can hold.
  const args = ['-c', '-f', '-', '--format=pax', ...excluded, '-T', '-'];
  const { child, ended } = startTar(place, args, { stdio: ['pipe', 'pipe', 'pipe'], signal });
  child.stdin?.on('error', () => undefined); // tar exited before it had read the names; its exit code shows why
  child.stdin?.end((include ?? ['.']).map((name) => (name === '.' ? '.\n' : `./${name}\n`)).join(''));
  await Promise.all([pipeline(child.stdout as Readable, to, { end: false, signal }), ended([0, 1])]);
}

/** Unpacks consecutive archives of one stream. tar runs as the owner, to whom the files belong. */
export async function unpackInto(place: Place, from: (to: Writable) => Promise<void>, signal: AbortSignal): Promise<void> {
  const args = ['-x', '-f', '-', '--ignore-zeros', '--no-same-owner'];
  const { child, ended } = startTar(place, args, { stdio: ['pipe', 'ignore', 'pipe'], signal });
  const end = ended([0]);
  const fed = from(child.stdin as Writable);
  // tar's message is more informative than the broken pipe that its exit causes.
  const [whole, unpacked] = await Promise.allSettled([fed, end]);
  if (unpacked.status === 'rejected' && !isBrokenPipe(whole)) throw whole.status === 'rejected' ? whole.reason : unpacked.reason;
  if (unpacked.status === 'rejected') throw unpacked.reason;
  if (whole.status === 'rejected') throw whole.reason;
}

const isBrokenPipe = (result: PromiseSettledResult<void>) =>
  result.status === 'rejected' && (result.reason as NodeJS.ErrnoException).code === 'EPIPE';

function startTar(
  { folder, owner }: Place,
  args: string[],
  { stdio, signal }: { stdio: NonNullable<SpawnOptions['stdio']>; signal: AbortSignal },
) {
  const user = owner === undefined ? {} : { uid: owner, gid: owner };
  // A server could replace its folder by a link. If it does not have its own user, the link could lead to all files of Paddock.
  const child = inFolder(dirname(folder), basename(folder), (cwd) =>
    spawn('tar', args, { cwd, env: ENVIRONMENT, stdio, signal, killSignal: 'SIGKILL', ...user }),
  );
  if (!child) throw new Error(`The folder ${folder} is not there.`);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (errors = (errors + text).slice(-MAX_STDERR_CHARACTERS)));
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    /** Exit code 1 means that files changed while tar read them, unless tar reports something worse. */
    ended: async (accepted: number[]) => {
      const [code] = await closed;
      const serious = errors.split('\n').filter((line) => line !== '' && !HARMLESS.test(line));
      if (code !== null && accepted.includes(code) && (code === 0 || serious.length === 0)) return;
      throw new Error(`tar ended with ${code ?? 'a signal'}: ${serious.join(' ').slice(0, 500) || 'no reason was given'}`);
    },
  };
}

const HARMLESS = /file changed as we read it|File removed before we read it|File shrank by|socket ignored/;
