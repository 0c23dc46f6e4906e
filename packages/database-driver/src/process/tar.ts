import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inFolder } from '@paddock/safe-files';

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', COPYFILE_DISABLE: '1' };
const STDERR_LIMIT = 4_000;

/** A folder and whose rights reading or writing it takes; undefined: our own. */
export interface Place {
  folder: string;
  owner: number | undefined;
}

/**
 * Writes a tar of names in the folder to `to`, which stays open. The program runs as the owner from within the folder: whatever a
 * server may have put there, nothing but what this owner may read comes into the archive. Files may grow, shrink and go meanwhile.
 */
export async function packFolder(
  { folder, owner }: Place,
  { include, exclude }: { include?: string[] | undefined; exclude?: string[] | undefined },
  to: Writable,
  signal: AbortSignal,
): Promise<void> {
  const excluded = (exclude ?? []).flatMap((pattern) => ['--exclude', `./${pattern}`]);
  // Names on standard input: there may be more than an argument list holds.
  const args = ['-c', '-f', '-', '--format=pax', ...excluded, '-T', '-'];
  const { child, ended } = startTar(args, folder, owner, ['pipe', 'pipe', 'pipe'], signal);
  child.stdin?.on('error', () => undefined); // it ended before it had read the names: its exit says why
  child.stdin?.end((include ?? ['.']).map((name) => (name === '.' ? '.\n' : `./${name}\n`)).join(''));
  await Promise.all([pipeline(child.stdout as Readable, to, { end: false, signal }), ended([0, 1])]);
}

/** Unpacks archives that follow each other in one stream. What it writes belongs to the owner, who is all that it may act as. */
export async function unpackInto({ folder, owner }: Place, from: (to: Writable) => Promise<void>, signal: AbortSignal): Promise<void> {
  const args = ['-x', '-f', '-', '--ignore-zeros', '--no-same-owner'];
  const { child, ended } = startTar(args, folder, owner, ['pipe', 'ignore', 'pipe'], signal);
  const end = ended([0]);
  const fed = from(child.stdin as Writable);
  // Its own words say more than the broken pipe that they cause.
  const [whole, unpacked] = await Promise.allSettled([fed, end]);
  if (unpacked.status === 'rejected' && !isBrokenPipe(whole)) throw whole.status === 'rejected' ? whole.reason : unpacked.reason;
  if (unpacked.status === 'rejected') throw unpacked.reason;
  if (whole.status === 'rejected') throw whole.reason;
}

const isBrokenPipe = (result: PromiseSettledResult<void>) =>
  result.status === 'rejected' && (result.reason as NodeJS.ErrnoException).code === 'EPIPE';

function startTar(
  args: string[],
  folder: string,
  owner: number | undefined,
  stdio: NonNullable<SpawnOptions['stdio']>,
  signal: AbortSignal,
) {
  const user = owner === undefined ? {} : { uid: owner, gid: owner };
  // A server could put a link in the place of its folder, which as an ordinary user leads to all that is Paddock's.
  const child = inFolder(dirname(folder), basename(folder), (cwd) =>
    spawn('tar', args, { cwd, env: ENVIRONMENT, stdio, signal, killSignal: 'SIGKILL', ...user }),
  );
  if (!child) throw new Error(`The folder ${folder} is not there.`);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (errors = (errors + text).slice(-STDERR_LIMIT)));
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    /** 1 means that files changed while they were read, if nothing worse is said. */
    ended: async (accepted: number[]) => {
      const [code] = await closed;
      const serious = errors.split('\n').filter((line) => line !== '' && !HARMLESS.test(line));
      if (code !== null && accepted.includes(code) && (code === 0 || serious.length === 0)) return;
      throw new Error(`tar ended with ${code ?? 'a signal'}: ${serious.join(' ').slice(0, 500) || 'no reason was given'}`);
    },
  };
}

const HARMLESS = /file changed as we read it|File removed before we read it|File shrank by|socket ignored/;
