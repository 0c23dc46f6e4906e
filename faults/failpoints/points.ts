import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The behaviour of a process at a failpoint. It lets `after` passes through first, then acts once, or each time with `always`. */
export type Behaviour = ({ do: 'die' | 'stop' | 'pause' | 'throw' | 'spin' } | { do: 'delay'; ms: number }) & {
  after?: number;
  always?: boolean;
};
export type Points = ReturnType<typeof failpoints>;

/** Folders to remove when this process exits at the latest. The processes that read them end before. */
const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Failpoints for processes that are started with `execArgv` and `env`. They can be armed before the start or while the process runs. */
export function failpoints() {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-failpoints-'));
  folders.add(folder);
  const file = (name: string) => join(folder, name);
  const clear = () => {
    for (const name of readdirSync(folder)) rmSync(file(name));
  };
  return {
    execArgv: ['--import', pathToFileURL(join(import.meta.dirname, 'install.ts')).href],
    env: { FAILPOINTS: folder },
    arm(name: string, behaviour: Behaviour) {
      rmSync(`${file(name)}.hits`, { force: true });
      writeFileSync(`${file(name)}.new`, JSON.stringify(behaviour));
      renameSync(`${file(name)}.new`, file(name)); // atomic
    },
    /** Number of passes since it was armed. */
    hits: (name: string) => (existsSync(`${file(name)}.hits`) ? readFileSync(`${file(name)}.hits`, 'utf8').split('\n').length - 1 : 0),
    /** Resumes a paused process. */
    release: (name: string) => writeFileSync(`${file(name)}.go`, ''),
    clear,
    remove() {
      folders.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
