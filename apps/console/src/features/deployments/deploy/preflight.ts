import { archiveLimits } from '@paddock/contract/limits';
import { isClutter, type JudgedEntry, judgedEntries } from './judged-entries.ts';
import { readLinkTargets } from './link-targets.ts';
import { megabytes } from './megabytes.ts';
import { detectStack, type StackHint } from './stack-hint.ts';
import { readZipDirectory, type ZipEntry, ZipError } from './zip-directory.ts';

export interface Preflight {
  files: number;
  unpackedBytes: number;
  /** Messages for the person; with any of them the server would refuse the archive. */
  problems: string[];
  warnings: string[];
  stack: StackHint | null;
}

/**
 * Checks an archive before the upload against the limits that the server enforces while unpacking. Never throws because of the file's
 * content.
 */
export async function preflight(file: File, signal?: AbortSignal): Promise<Preflight> {
  const nothing = { files: 0, unpackedBytes: 0, warnings: [], stack: null };
  if (!file.name.toLowerCase().endsWith('.zip')) return { ...nothing, problems: ['The file must be a .zip archive.'] };
  if (file.size > archiveLimits.zipBytes)
    return {
      ...nothing,
      problems: [`The ZIP file is ${megabytes(file.size)}; the limit is ${megabytes(archiveLimits.zipBytes)}.`],
    };
  try {
    const entries = await readZipDirectory(file, signal);
    return judge(entries, await readLinkTargets(file, entries, signal));
  } catch (cause) {
    if (cause instanceof ZipError) return { ...nothing, problems: [cause.message] };
    throw cause;
  }
}

/** Checks a directory that was already read. `targets` has the targets of its links. */
export function judge(read: readonly ZipEntry[], targets: ReadonlyMap<ZipEntry, string> = new Map()): Preflight {
  const entries = judgedEntries(read, targets);
  const files = entries.filter(({ isDropped, isFolder }) => !isDropped && !isFolder);
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.unpacked, 0);
  const names = files.map(({ name }) => name);
  return {
    files: files.length,
    unpackedBytes,
    problems: [...wholeProblems(entries, files.length, unpackedBytes), ...firstOfEach(entries)],
    warnings: warningsFor(entries.filter(({ isFolder, name }) => !isFolder && !isClutter(name)).map(({ name }) => name)),
    stack: detectStack(names),
  };
}
function wholeProblems(entries: readonly JudgedEntry[], files: number, unpacked: number): string[] {
  const problems: string[] = [];
  if (files === 0) problems.push('The archive contains no files.');
  if (entries.length > archiveLimits.entries)
    problems.push(`The archive contains more than ${archiveLimits.entries.toLocaleString('en')} files and folders.`);
  if (unpacked > archiveLimits.unpackedBytes)
    problems.push(`Unpacked, the archive is ${megabytes(unpacked)}; the limit is ${megabytes(archiveLimits.unpackedBytes)}.`);
  return problems;
}

const rules: readonly (readonly [isBroken: (entry: JudgedEntry) => boolean, say: (entry: JudgedEntry) => string])[] = [
  [(e) => e.isEncrypted, (e) => `${shown(e)} is encrypted. Pack the archive without a password.`],
  [(e) => isAbsolute(e.name), (e) => `${shown(e)} has an absolute path. Pack the folder from inside.`],
  [(e) => leavesFolder(e.name), (e) => `${shown(e)} points outside the archive.`],
  [
    (e) => e.name.includes('\\') && !isAbsolute(e.name) && !leavesFolder(e.name),
    (e) => `${shown(e)} has a backslash in its name. Pack the folder again with an ordinary ZIP tool.`,
  ],
  [(e) => e.leadsOut, (e) => `${shown(e)} is a symbolic link that points outside the archive. Replace it with the file itself.`],
  // oxlint-disable-next-line no-control-regex -- a name with control characters is what is looked for
  [(e) => /[\x00-\x1f\x7f]/.test(e.name) || e.name === '', (e) => `${shown(e)} has control characters in its name, or no name.`],
  [(e) => bytes(e.name) > archiveLimits.nameBytes, (e) => `${shown(e)} has a name longer than ${archiveLimits.nameBytes} bytes.`],
  [(e) => segments(e.name).length > archiveLimits.depth, (e) => `${shown(e)} is nested more than ${archiveLimits.depth} folders deep.`],
  [
    (e) => e.unpacked > archiveLimits.fileBytes,
    (e) => `${shown(e)} is ${megabytes(e.unpacked)}; the limit per file is ${megabytes(archiveLimits.fileBytes)}.`,
  ],
  [(e) => isBomb(e), (e) => `${shown(e)} unpacks to more than ${archiveLimits.ratio} times its packed size.`],
  [
    (e) => e.method !== 0 && e.method !== 8,
    (e) => `${shown(e)} is compressed with a method other than deflate. Pack it with an ordinary ZIP tool.`,
  ],
];

/** Names the first entry of each kind of problem and counts the rest: a hostile archive may have thousands. */
function firstOfEach(entries: readonly JudgedEntry[]): string[] {
  return rules.flatMap(([isBroken, say]) => {
    const broken = entries.filter(isBroken);
    const [first] = broken;
    if (!first) return [];
    return [broken.length === 1 ? say(first) : `${say(first)} The same applies to ${broken.length - 1} more.`];
  });
}

function warningsFor(names: readonly string[]): string[] {
  const warnings: string[] = [];
  const has = (folder: string) => names.some((name) => segments(name).includes(folder));
  for (const folder of ['node_modules', '.venv', 'venv'])
    if (has(folder)) warnings.push(`The archive contains ${folder}/. Leave it out: dependencies are installed during the build.`);
  if (names.some((name) => segments(name).at(-1) === '.env'))
    warnings.push('The archive contains a .env file. Set its values as variables of the project instead.');
  return warnings;
}

const segments = (name: string) => name.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
const isAbsolute = (name: string) => /^[\\/]|^[A-Za-z]:/.test(name);
const leavesFolder = (name: string) => segments(name).includes('..');
// The first megabyte is free, as on the server: small files of zeros are common.
const isBomb = (e: ZipEntry) => e.unpacked > archiveLimits.ratioFromBytes && e.unpacked > e.packed * archiveLimits.ratio;
const bytes = (name: string) => new TextEncoder().encode(name).length;

/** A name fit to be shown: short and without control characters. */
function shown({ name }: ZipEntry): string {
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const clean = name.replace(/[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]/g, '·');
  return `“${clean.length > 80 ? `${clean.slice(0, 40)}…${clean.slice(-36)}` : clean}”`;
}
