import { closeSync, openSync, readSync } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { archiveLimits } from '@paddock/contract/limits';
import { looksSecret } from '@paddock/contract/secret-files';
import { ToolError } from '../failures.ts';
import { type Commit, readCommit } from './commit.ts';
import { withCommitDate } from './commit-date.ts';
import { gitIn, readIndex } from './git.ts';
import { addFolderRules, isLeftOut, type Levels, rulesAbove } from './ignore-rules.ts';

export interface PackedFile {
  /** Its path on this machine. */
  path: string;
  /** Its name in the archive, with slashes. */
  name: string;
  size: number;
  mode: number;
  /** Time of the last change, or of the commit if git has the file unchanged. */
  mtime: Date;
}

export interface FileList {
  files: PackedFile[];
  commit: Commit;
  /** Names that are never sent, whatever the ignore files say, by reason. */
  env_files: string[];
  /** Files that look like secrets. Those that git holds, and those that were asked for, are sent. */
  secrets: string[];
  dependency_folders: string[];
  links: string[];
}

const envFile = /^\.env(\..+)?$/;
const envExample = /\.(example|sample|template|dist|defaults)$/;

/** The files of a folder to be deployed, sorted by name. Throws an error with advice if they exceed the limits of an archive. */
export async function listFiles(folder: string, signal: AbortSignal, included: readonly string[] = []): Promise<FileList> {
  const root = await realpath(folder);
  const git = gitIn(root, signal);
  const index = await readIndex(git);
  const mayHold = (name: string) => index?.has(name) === true || included.includes(name);
  const list: FileList = { files: [], commit: {}, env_files: [], secrets: [], dependency_folders: [], links: [] };
  await walk({ root, list, mayHold, signal }, root, await rulesAbove(root));
  const absent = included.find((name) => !list.files.some((file) => file.name === name));
  if (absent !== undefined)
    throw refusal(
      `--include ${absent}: no file of that name is sent. Name it as it lies in the folder, such as certs/server.key; ignored files and .env files stay.`,
    );
  list.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  refuseBeyondLimits(list.files);
  const commit = await readCommit(git, list.files, index);
  return { ...list, commit, files: await withCommitDate(git, list.files, index) };
}

interface Walk {
  root: string;
  /** Collects the files. */
  list: FileList;
  /** Whether a file is sent although it looks like a secret. */
  mayHold: (name: string) => boolean;
  signal: AbortSignal;
}

async function walk(all: Walk, folder: string, above: Levels): Promise<void> {
  const { root, list, mayHold, signal } = all;
  const levels = await addFolderRules(folder, above);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    signal.throwIfAborted();
    const path = join(folder, entry.name);
    const name = relative(root, path).split(sep).join('/');
    if (entry.name === '.git' || entry.name === '.paddockignore') continue;
    if (entry.isDirectory()) {
      if (await isDependencyFolder(path, entry.name)) list.dependency_folders.push(`${name}/`);
      else if (!isLeftOut(path, true, levels)) await walk(all, path, levels);
      continue;
    }
    if (envFile.test(entry.name) && !envExample.test(entry.name)) {
      list.env_files.push(name);
      continue;
    }
    if (isLeftOut(path, false, levels)) continue;
    const found = await fileAt(root, path);
    if (!found) list.links.push(name);
    else if (!mayHold(name) && looksSecret(name, () => readStart(path))) list.secrets.push(name);
    else list.files.push({ path, name, size: found.size, mode: found.mode, mtime: found.mtime });
    if (list.files.length > archiveLimits.entries) throw tooMany();
  }
}

/** A key is at the beginning of its file. */
const keyBytes = 64 * 1024;

function readStart(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(keyBytes);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, keyBytes, 0));
  } finally {
    closeSync(file);
  }
}

/** The file, or the target of a link within the folder; undefined for sockets, links to folders and links that lead out. */
async function fileAt(root: string, path: string) {
  const own = await lstat(path);
  if (own.isFile()) return own;
  if (!own.isSymbolicLink()) return undefined;
  try {
    const target = await realpath(path);
    if (!target.startsWith(root + sep)) return undefined;
    const behind = await stat(target);
    return behind.isFile() ? behind : undefined;
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Whether the folder has installed dependencies. The build installs them again, for the platform's own system. */
async function isDependencyFolder(path: string, name: string): Promise<boolean> {
  if (name === 'node_modules') return true;
  return lstat(join(path, 'pyvenv.cfg')).then(
    (found) => found.isFile(),
    () => false, // missing, or not accessible
  );
}

function refuseBeyondLimits(files: PackedFile[]) {
  if (files.length === 0) throw refusal('There is nothing to deploy: the folder has no files, or its ignore files leave all of them out.');
  let total = 0;
  for (const { name, size } of files) {
    total += size;
    // oxlint-disable-next-line no-control-regex -- a name with control characters is what is looked for
    if (/[\\\x00-\x1f\x7f\ufffd]/.test(name))
      throw refusal(`${JSON.stringify(name)} has a character in its name that an archive cannot carry. Rename it.`);
    if (Buffer.byteLength(name) > archiveLimits.nameBytes)
      throw refusal(`${name} has a path longer than ${archiveLimits.nameBytes} bytes.`);
    if (name.split('/').length > archiveLimits.depth) throw refusal(`${name} lies more than ${archiveLimits.depth} folders deep.`);
    if (size > archiveLimits.fileBytes)
      throw refusal(`${name} is ${megabytes(size)}; at most ${megabytes(archiveLimits.fileBytes)} a file are allowed. ${leaveOut}`);
  }
  if (total > archiveLimits.unpackedBytes)
    throw refusal(
      `The files are ${megabytes(total)}; at most ${megabytes(archiveLimits.unpackedBytes)} are allowed. The largest: ${largest(files)}. ${leaveOut}`,
    );
}

const leaveOut = 'Leave out what the agent does not need in .paddockignore.';
const tooMany = () => refusal(`There are more than ${archiveLimits.entries.toLocaleString('en')} files. ${leaveOut}`);
export const refusal = (message: string) => new ToolError('archive_refused', message);
const largest = (files: PackedFile[]) =>
  [...files]
    .sort((a, b) => b.size - a.size)
    .slice(0, 3)
    .map(({ name, size }) => `${name} (${megabytes(size)})`)
    .join(', ');

export const megabytes = (size: number) =>
  size < 1024 ** 2 ? `${Math.max(1, Math.round(size / 1024))} KB` : `${(size / 1024 ** 2).toFixed(size < 10 * 1024 ** 2 ? 1 : 0)} MB`;
