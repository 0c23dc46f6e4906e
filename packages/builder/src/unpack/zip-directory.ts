import { fstatSync, readSync } from 'node:fs';
import { entryPaths } from '@paddock/contract/archive-paths';
import * as yauzl from 'yauzl';
import { BuildError, quoteName } from '../build-error.ts';
import { type ArchiveLimits, checkDuplicates, checkName, checkType, refuse, type ZipEntry } from './entry-rules.ts';
import { readFully } from './read-fully.ts';
import { findEnd, type ZipEnd } from './zip-end.ts';

const maxDirectoryBytes = 32 * 1024 ** 2;

/**
 * Reads and checks a ZIP's directory before anything is written. Only the directory counts. An archive in which another reader could see
 * other contents (prepended data, hidden entries, overlapping ranges) is refused.
 */
export async function readDirectory(fd: number, limits: ArchiveLimits): Promise<{ entries: ZipEntry[]; directoryOffset: number }> {
  const fileSize = fstatSync(fd).size;
  if (fileSize > limits.zipBytes) throw refuse('archive_limit', `The archive has ${fileSize} bytes; at most ${limits.zipBytes} are taken.`);
  const end = findEnd(fd, fileSize);
  if (end.entries === 0) throw refuse('archive_empty', 'The archive is empty.', 'Zip the folder that holds your agent.');
  if (end.entries > limits.entries)
    throw refuse(
      'archive_limit',
      `The archive has ${end.entries} entries; at most ${limits.entries} are taken.`,
      'Leave node_modules, .venv and data sets out.',
    );
  if (end.directorySize > maxDirectoryBytes) throw refuse('archive_limit', 'The archive’s directory is larger than 32 MB.');
  const entries = await listEntries(fd, { fileSize, end, limits });
  checkDuplicates(entries);
  checkRanges(entries, end.directoryOffset);
  return { entries, directoryOffset: end.directoryOffset };
}

interface DirectoryPlace {
  fileSize: number;
  end: ZipEnd;
  limits: ArchiveLimits;
}

async function listEntries(fd: number, { fileSize, end, limits }: DirectoryPlace): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  let total = 0;
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(new DirectoryReader(fd, end.directoryOffset, fileSize), fileSize, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    if (zip.entryCount !== end.entries) throw refuse('archive_mismatch', 'The archive states two different numbers of entries.');
    const raws: yauzl.Entry[] = [];
    const names: string[] = [];
    for await (const raw of zip.eachEntry()) {
      const bytes = raw.fileNameRaw.length;
      const name = decodeName(raw, raw.fileNameRaw);
      // Checked here because names of any length together would take more memory than the thread has.
      if (bytes > limits.nameBytes) checkName(name, bytes, limits);
      raws.push(raw);
      names.push(name);
    }
    const paths = entryPaths(names);
    for (const [n, raw] of raws.entries()) {
      const entry = checkedEntry(raw, paths[n] ?? '', limits);
      total += entry.size;
      if (total > limits.unpackedBytes) throw tooLarge(limits);
      entries.push(entry);
    }
  } catch (error) {
    if (error instanceof BuildError) throw error;
    throw refuse('archive_invalid', `The archive’s directory is damaged (${(error as Error).message}).`, 'Zip the project again.');
  }
  return entries;
}

export function tooLarge(limits: ArchiveLimits): BuildError {
  return refuse(
    'archive_limit',
    `The archive unpacks to more than ${limits.unpackedBytes} bytes.`,
    'Leave node_modules, .venv, models and data sets out.',
  );
}

/** The maximum length of a Linux path. */
const maxLinkBytes = 4096;

/** `full`: its path, with a trailing slash if it is a folder; empty for the archive's own folder. */
function checkedEntry(raw: yauzl.Entry, full: string, limits: ArchiveLimits): ZipEntry {
  const rawName = raw.fileNameRaw;
  const isTop = full === '' && rawName.length > 0;
  const q = quoteName(full);
  if (!isTop) checkName(full, rawName.length, limits);
  const { executable, link } = checkType(isTop ? './' : full, raw.externalFileAttributes, raw.extraFields);
  const flags = raw.generalPurposeBitFlag;
  if (flags & 0x2041) throw refuse('archive_encrypted', `The archive's entry ${q} is encrypted.`, 'Zip again without a password.');
  const method = raw.compressionMethod;
  if (method !== 0 && method !== 8)
    throw refuse(
      'archive_method',
      `The archive's entry ${q} uses compression method ${method}; only stored and deflate are taken.`,
      'Zip again with the usual method (deflate).',
    );
  const directory = isTop || full.endsWith('/');
  const { compressedSize: compressed, uncompressedSize: size } = raw;
  if (directory && size > 0) throw refuse('archive_invalid', `The archive's folder entry ${q} holds data.`);
  if (link && size > maxLinkBytes) throw refuse('archive_invalid', `The archive's entry ${q} is a symbolic link with a very long target.`);
  if (method === 0 && size !== compressed) throw refuse('archive_mismatch', `The archive's entry ${q} states two different sizes.`);
  if (size > limits.fileBytes)
    throw refuse('archive_limit', `The archive's entry ${q} unpacks to ${size} bytes; at most ${limits.fileBytes} a file are taken.`);
  if (isBomb(size, compressed, limits)) throw tooDense(q, limits);
  const name = full.replace(/\/$/, '');
  const modified = raw.getLastModDate({ timezone: 'UTC' }).getTime();
  const offset = raw.relativeOffsetOfLocalHeader;
  return { name, directory, executable, link, method, flags, crc: raw.crc32, compressed, size, offset, modified, rawName };
}

/** Whether an entry is a zip bomb. Smaller files may have any ratio, since a bomb needs bytes. */
export function isBomb(size: number, compressed: number, limits: ArchiveLimits): boolean {
  return size > limits.ratioFromBytes && size > compressed * limits.ratio;
}

export function tooDense(quotedName: string, limits: ArchiveLimits): BuildError {
  return refuse(
    'archive_limit',
    `The archive's entry ${quotedName} unpacks to more than ${limits.ratio} times its size.`,
    'Leave it out, and have the agent make or fetch it at its start.',
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// Many packers write UTF-8 without the flag. According to the format, names that are not valid UTF-8 are in the old DOS code page.
function decodeName(raw: yauzl.Entry, bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    if (raw.generalPurposeBitFlag & 0x800)
      throw refuse('archive_entry_name', `The archive's entry ${quoteName(bytes.toString('latin1'))} has a name that isn't valid UTF-8.`);
    return yauzl.getFileNameLowLevel(raw.generalPurposeBitFlag, bytes, raw.extraFields, true);
  }
}

const localHeaderBytes = 30;
// Between two entries only a data descriptor (at most 24 bytes with zip64 sizes) is allowed. More would be hidden content.
const maxGapBytes = 24;

function checkRanges(entries: ZipEntry[], directoryOffset: number): void {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset);
  if (sorted[0]?.offset !== 0)
    throw refuse('archive_invalid', 'The archive has other data before its first entry.', 'Zip the project again.');
  sorted.forEach((entry, i) => {
    const next = sorted[i + 1]?.offset ?? directoryOffset;
    if (entry.offset + localHeaderBytes + entry.rawName.length + entry.compressed > next) {
      throw refuse('archive_overlap', `The archive's entry ${quoteName(entry.name)} overlaps with another one.`);
    }
  });
}

/** Checks the end of an entry's data, once its local header is read. */
export function checkEnd(entry: ZipEntry, dataEnd: number, next: number): void {
  if (dataEnd > next) throw refuse('archive_overlap', `The archive's entry ${quoteName(entry.name)} overlaps with another one.`);
  if (next - dataEnd > maxGapBytes)
    throw refuse('archive_invalid', `The archive hides data after its entry ${quoteName(entry.name)}.`, 'Zip the project again.');
}

/** Serves yauzl from one read of the directory: yauzl itself would read the file twice for each entry. */
class DirectoryReader extends yauzl.RandomAccessReader {
  readonly #fd: number;
  readonly #from: number;
  readonly #bytes: Buffer;

  constructor(fd: number, from: number, fileSize: number) {
    super();
    this.#fd = fd;
    this.#from = from;
    this.#bytes = Buffer.alloc(fileSize - from);
    readFully(fd, this.#bytes, from);
  }

  // oxlint-disable-next-line max-params -- the form that the library calls
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const at = position - this.#from;
    if (at >= 0) this.#bytes.copy(buffer, offset, at, at + length);
    else readSync(this.#fd, buffer, offset, length, position);
    callback(null, Math.min(length, at >= 0 ? this.#bytes.length - at : length));
  }
}
