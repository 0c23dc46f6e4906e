import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a process does when it comes to a failpoint. `after` passes are let through first; once it has acted it is over, unless `always`. */
export type Behaviour = ({ do: 'die' | 'stop' | 'pause' | 'throw' | 'spin' } | { do: 'delay'; ms: number }) & {
  after?: number;
  always?: boolean;
};
export type Points = ReturnType<typeof failpoints>;

/** They go with this process at the latest: the processes that look into them end before it. */
const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Failpoints of processes that are started with `execArgv` and `env`. They can be armed before the start or while the process runs. */
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
      renameSync(`${file(name)}.new`, file(name)); // whole at once
    },
    /** How often it was passed since it was armed. */
    hits: (name: string) => (existsSync(`${file(name)}.hits`) ? readFileSync(`${file(name)}.hits`, 'utf8').split('\n').length - 1 : 0),
    /** Lets what is paused go on. */
    release: (name: string) => writeFileSync(`${file(name)}.go`, ''),
    clear,
    remove() {
      folders.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
