// npm leaves packages for other platforms out of the lock file when the registry in use does not offer them,
// and then `npm ci` refuses the lock file. `node scripts/lock-file.ts` adds them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './program.ts';

type Entry = { version?: string; dev?: boolean; optionalDependencies?: Record<string, string>; engines?: Record<string, string> };
export type LockFile = { packages: Record<string, Entry> };

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** The optional packages, as `name@version`, that a package of the lock file wants and that have no entry in it. */
export function missingFromLock(lock: LockFile): string[] {
  return wanted(lock).map(({ name, version }) => `${name}@${version}`);
}

/** The lock file with the missing entries. Their platforms are read from their names, so that npm skips them elsewhere without a request. */
export function completeLock(lock: LockFile): LockFile {
  const packages: Record<string, Entry> = { ...lock.packages };
  for (const { name, version, by } of wanted(lock)) packages[`node_modules/${name}`] = entry(name, version, by);
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

function wanted({ packages }: LockFile) {
  return Object.entries(packages).flatMap(([path, by]) =>
    Object.entries(by.optionalDependencies ?? {})
      .filter(([name]) => !placesFor(path, name).some((place) => place in packages))
      .map(([name, version]) => ({ name, version, by })),
  );
}

/** The paths at which Node looks for a package: beside the one that wants it, then further up. */
function placesFor(path: string, name: string): string[] {
  const parts = path === '' ? [] : path.split('/node_modules/');
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join('/node_modules/'));
  return [...above.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
}

function entry(name: string, version: string, by: Entry) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (cpu.length !== 1) throw new Error(`Cannot tell from its name what ${name} is for: add it to package-lock.json by hand.`);
  const musl = words.some((word) => word.startsWith('musl'));
  const gnu = words.some((word) => word.startsWith('gnu'));
  const libc = os[0] === 'linux' && (musl || gnu) ? [musl ? 'musl' : 'glibc'] : undefined;
  const { dev, engines } = by;
  return {
    version,
    cpu,
    ...(dev && { dev }),
    ...(libc && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
    ...(engines && { engines }),
  };
}

if (import.meta.main) {
  const file = join(ROOT, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile;
  console.log(missingFromLock(lock).join('\n') || 'Nothing is missing.');
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
}
