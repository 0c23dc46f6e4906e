import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Availability } from '../../driver.ts';

const run = promisify(execFile);

export interface ServerProgram {
  kind: 'redis' | 'valkey';
  version: string;
  /** The program must be called by this name. Under another of its names, the file is another program. */
  path: string;
  /** The folders of the program and of the file that it links to. */
  folders: string[];
}

/** Since this version append-only files have parts, and access rules can name subcommands. The backups and access rules here need both. */
const MIN_MAJOR = 7;
const ASK_MS = 5000;

/**
 * The server programs on `path`, newest first; for equal versions the earlier folder wins. `previous` is the kind that wrote the data. It
 * comes first, since each of the two refuses files of newer versions of the other.
 */
export async function serverPrograms(path: string, previous?: ServerProgram['kind']): Promise<ServerProgram[]> {
  const folders = path.split(delimiter).filter((folder) => folder.startsWith('/'));
  const candidates = folders.flatMap((folder) => ['valkey-server', 'redis-server'].map((name) => join(folder, name)));
  const found = (await Promise.all(candidates.map(programAt))).filter((program) => program !== undefined);
  return found.sort((a, b) => Number(b.kind === previous) - Number(a.kind === previous) || newerFirst(a.version, b.version));
}

export async function redisAvailability(path: string): Promise<Availability> {
  const newest = (await serverPrograms(path))[0];
  if (newest && !isTooOld(newest)) return { ok: true, version: newest.version };
  const reason = newest
    ? `The ${newest.kind}-server of this machine is version ${newest.version}; managed Redis needs ${MIN_MAJOR}.0 or newer.`
    : 'Neither redis-server nor valkey-server is installed on this machine.';
  return {
    ok: false,
    reason,
    remedy:
      'Debian and Ubuntu: `apt-get install redis-server`. macOS: `brew install redis`. A system service that the package starts on port 6379 is not used.',
  };
}

/** The program to run. Throws the message of `redisAvailability` if there is none. */
export async function serverProgram(path: string, previous?: ServerProgram['kind']): Promise<ServerProgram> {
  const program = (await serverPrograms(path, previous)).find((candidate) => !isTooOld(candidate));
  if (program) return program;
  const availability = await redisAvailability(path);
  throw new Error(availability.ok ? 'The Redis program is gone.' : `${availability.reason} ${availability.remedy}`);
}

/** Undefined if there is no such program, or if it is neither Redis nor Valkey. */
async function programAt(path: string): Promise<ServerProgram | undefined> {
  try {
    await access(path, constants.X_OK);
    const { stdout } = await run(path, ['--version'], { timeout: ASK_MS, killSignal: 'SIGKILL', env: { LC_ALL: 'C' } });
    const [, name, version] = /^(Redis|Valkey) server v=(\d+\.\d+\.\d+)/.exec(stdout) ?? [];
    if (!version) return undefined;
    const own = await realpath(dirname(path));
    const folders = [...new Set([own, dirname(await realpath(path))])];
    return { kind: name === 'Valkey' ? 'valkey' : 'redis', version, path: join(own, basename(path)), folders };
  } catch {
    return undefined;
  }
}

const isTooOld = ({ version }: ServerProgram) => Number(version.split('.')[0]) < MIN_MAJOR;

const newerFirst = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true });
