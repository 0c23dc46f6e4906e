import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeName } from '../nodes/node-name.ts';
import { startTime } from '../process/process-identity.ts';

export interface RunningGateway {
  pid: number;
  /** Start time in clock ticks since boot: a pid alone may be another process by now. */
  started: string;
}
/** The newest gateway, and older gateways that may still run: they are ended once the newest answers. */
type Noted = RunningGateway & { before?: RunningGateway[] };

/**
 * Finds the gateway processes of a data directory, whichever process started them: by a mark on their command line, and by a note of the last start.
 * The mark finds a gateway whose start was never noted, and processes whose leader has exited. The note finds gateways from before the data directory
 * was moved, or of an older release.
 */
export function ownGateways(dataDir: string) {
  const noteFile = join(dataDir, 'gateway.json');
  const hash = createHash('sha256')
    .update(`${nodeName(dataDir)} ${realpathSync(dataDir)}`)
    .digest('hex')
    .slice(0, 16);
  const mark = `--gateway-of=${hash}`;

  return {
    /** The mark, an argument for the gateway program. */
    mark,

    living(): RunningGateway[] {
      const found = new Map([...marked(mark), ...noted(noteFile)].map((one) => [one.pid, one]));
      return [...found.values()].filter(isLiving);
    },

    /** Writes the note. Throws when it cannot be written. */
    note(pid: number, before: RunningGateway[]): void {
      const note: Noted = { pid, started: startTime(pid) ?? '', before };
      writeFileSync(`${noteFile}.new`, JSON.stringify(note), { mode: 0o600 });
      renameSync(`${noteFile}.new`, noteFile);
    },
    forget: () => rmSync(noteFile, { force: true }),
  };
}

export const isLiving = ({ pid, started }: RunningGateway) => started !== '' && startTime(pid) === started;

function marked(mark: string): RunningGateway[] {
  const pids =
    process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name) && hasMark(name, mark)) : listed(mark);
  return pids.map((pid) => ({ pid: Number(pid), started: startTime(Number(pid)) ?? '' }));
}

function hasMark(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(mark);
  } catch {
    return false; // exited meanwhile
  }
}

function listed(mark: string): string[] {
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8', timeout: 5_000 });
  return stdout.split('\n').flatMap((line) => (line.includes(` ${mark}`) ? [line.trim().split(' ')[0] ?? ''] : []));
}

function noted(noteFile: string): RunningGateway[] {
  try {
    const { before = [], ...last } = JSON.parse(readFileSync(noteFile, 'utf8')) as Noted;
    return [last, ...before];
  } catch {
    return []; // no note, or a truncated one: the mark finds running gateways
  }
}
