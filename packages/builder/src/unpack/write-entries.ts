import { closeSync, fchmodSync, mkdirSync, constants as o, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { quoteName } from '../build-error.ts';
import { type ArchiveLimits, refuse, type ZipEntry } from './entry-rules.ts';
import { planCopies } from './links.ts';
import type { NormalisedEntry } from './normalise.ts';
import { readFully } from './read-fully.ts';
import { isProgram, lacksModes, withLinuxLineEnds } from './scripts.ts';
import { checkEnd, isBomb, tooDense, tooLarge } from './zip-directory.ts';

// Larger files are unpacked as streams, so that memory use stays constant. For smaller files one call is several times faster.
const maxSmallCompressedBytes = 4 * 1024 ** 2;
const maxSmallBytes = 8 * 1024 ** 2;
const chunkBytes = 256 * 1024;
const maxNamed = 5;

interface WriteRequest {
  all: ZipEntry[];
  kept: NormalisedEntry[];
  directoryOffset: number;
  destDir: string;
  limits: ArchiveLimits;
}

/**
 * Writes the kept entries below `destDir`, and copies in place of symbolic links. Fails at the first entry that contradicts the directory.
 * Returns the bytes written.
 */
export async function writeEntries(fd: number, { all, kept, directoryOffset, destDir, limits }: WriteRequest): Promise<Written> {
  const sorted = [...all].sort((a, b) => a.offset - b.offset);
  const nextOf = new Map(sorted.map((e, i) => [e, sorted[i + 1]?.offset ?? directoryOffset]));
  const keep = new Set<ZipEntry>(kept);
  const folders = new Set<string>([destDir]);
  const targets = new Map<string, string>();
  const adapted: string[] = [];
  const rules = { limits, lacksModes: lacksModes(kept), noteLineEnds: (path: string) => adapted.push(path) };
  let bytes = 0;
  const local = (entry: ZipEntry) => readLocal(fd, entry, nextOf.get(entry) ?? directoryOffset);
  const write = async (entry: ZipEntry, data: LocalData, path: string) => {
    const to = join(destDir, path);
    makeFolder(dirname(to), folders);
    bytes += await writeFile(fd, entry, { ...data, ...rules, to, path, written: bytes });
  };
  for (const entry of sorted) {
    const data = local(entry);
    if (!keep.has(entry)) continue;
    const { path } = entry as NormalisedEntry;
    if (entry.link) targets.set(path, linkTarget(entry, data));
    else await write(entry, data, path);
  }
  const files = kept.filter((entry) => !entry.link);
  const { copies, warnings } = planCopies(targets, files, limits);
  for (const { entry, path } of copies) await write(entry, local(entry), path);
  if (adapted.length > 0) warnings.push(lineEndsReplaced(adapted));
  return { bytes, files: files.length + copies.length, warnings };
}

function lineEndsReplaced(paths: string[]): string {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  const named = paths.slice(0, maxNamed).map(quoteName).join(', ');
  return `Line ends of Windows (CRLF) are replaced in scripts, which Linux would not run: ${named}${more}.`;
}

interface Written {
  bytes: number;
  files: number;
  warnings: string[];
}

/** The target of a symbolic link, as its data states it. */
function linkTarget(entry: ZipEntry, { data }: LocalData): string {
  const bytes = data === null || entry.method === 0 ? data : inflateSmall(entry, data);
  if (bytes === null || bytes.length !== entry.size || crc32(bytes) !== entry.crc)
    throw refuse(
      'archive_checksum',
      `The archive's entry ${quoteName(entry.name)} is damaged (checksum differs).`,
      'Zip and upload again.',
    );
  return bytes.toString('utf8');
}

interface LocalData {
  dataStart: number;
  /** Null for a large file, which is read as a stream. */
  data: Buffer | null;
}

/** Reads the local header (and the data of a small entry) and compares the header with the directory. */
function readLocal(fd: number, entry: ZipEntry, next: number): LocalData {
  const head = Buffer.alloc(Math.min(next - entry.offset, isSmall(entry) ? maxSmallCompressedBytes + 140_000 : 140_000));
  readFully(fd, head, entry.offset);
  const q = quoteName(entry.name);
  const differs = (what: string) =>
    refuse('archive_mismatch', `The archive's entry ${q} has ${what} in its own header than in the directory.`, 'Zip the project again.');
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50)
    throw refuse('archive_invalid', `The archive's entry ${q} isn't where the directory says.`);
  const nameLength = head.readUInt16LE(26);
  const extraLength = head.readUInt16LE(28);
  if (!head.subarray(30, 30 + nameLength).equals(entry.rawName)) throw differs('another name');
  if (head.readUInt16LE(8) !== entry.method) throw differs('another compression');
  const flags = head.readUInt16LE(6);
  if ((flags & 0x2041) !== 0) throw refuse('archive_encrypted', `The archive's entry ${q} is encrypted.`, 'Zip again without a password.');
  if ((flags & 0x8) === 0) {
    const sizes = localSizes(head, 30 + nameLength, extraLength);
    if (head.readUInt32LE(14) !== entry.crc) throw differs('another checksum');
    if (sizes.compressed !== entry.compressed || sizes.size !== entry.size) throw differs('other sizes');
  }
  const dataStart = entry.offset + 30 + nameLength + extraLength;
  checkEnd(entry, dataStart + entry.compressed, next);
  const from = dataStart - entry.offset;
  return { dataStart, data: isSmall(entry) ? head.subarray(from, from + entry.compressed) : null };
}

function localSizes(head: Buffer, extraStart: number, extraLength: number): { size: number; compressed: number } {
  let compressed = head.readUInt32LE(18);
  let size = head.readUInt32LE(22);
  if (size !== 0xffffffff && compressed !== 0xffffffff) return { size, compressed };
  for (let at = extraStart; at + 4 <= extraStart + extraLength; at += 4 + head.readUInt16LE(at + 2)) {
    if (head.readUInt16LE(at) !== 1 || head.readUInt16LE(at + 2) < 16) continue;
    size = Number(head.readBigUInt64LE(at + 4));
    compressed = Number(head.readBigUInt64LE(at + 12));
  }
  return { size, compressed };
}

const isSmall = (e: ZipEntry) => e.compressed <= maxSmallCompressedBytes && e.size <= maxSmallBytes;

interface FileTarget extends LocalData {
  to: string;
  /** Relative to the destination. */
  path: string;
  limits: ArchiveLimits;
  lacksModes: boolean;
  noteLineEnds: (path: string) => void;
  /** Bytes of all earlier files. */
  written: number;
}

async function writeFile(fd: number, entry: ZipEntry, target: FileTarget): Promise<number> {
  const { dataStart, data, to, path, limits, written: before } = target;
  const q = quoteName(entry.name);
  const mode = entry.executable ? 0o755 : 0o644;
  const out = openSync(to, o.O_WRONLY | o.O_CREAT | o.O_EXCL | o.O_NOFOLLOW, mode);
  let written = 0;
  let crc = 0;
  const take = (chunk: Buffer) => {
    written += chunk.length;
    if (written > entry.size)
      throw refuse('archive_mismatch', `The archive's entry ${q} unpacks to more than its stated ${entry.size} bytes.`);
    if (before + written > limits.unpackedBytes) throw tooLarge(limits);
    if (isBomb(written, entry.compressed, limits)) throw tooDense(q, limits);
    crc = crc32(chunk, crc);
  };
  const put = (chunk: Buffer) => {
    for (let done = 0; done < chunk.length; ) done += writeSync(out, chunk, done);
  };
  const begin = (start: Buffer) => {
    if (target.lacksModes && isProgram(start)) fchmodSync(out, 0o755);
  };
  try {
    if ((process.umask() & mode) !== 0) fchmodSync(out, mode);
    if (data === null) {
      await inflateLarge(entry, readChunks(fd, dataStart, entry.compressed), (chunk) => {
        if (written === 0) begin(chunk);
        take(chunk);
        put(chunk);
      });
    } else {
      const content = entry.method === 0 ? data : inflateSmall(entry, data);
      const adapted = withLinuxLineEnds(path, content);
      if (adapted !== undefined) target.noteLineEnds(path);
      begin(content);
      take(content);
      put(adapted ?? content);
    }
  } finally {
    closeSync(out);
  }
  if (written !== entry.size)
    throw refuse('archive_mismatch', `The archive's entry ${q} unpacks to ${written} bytes, not to its stated ${entry.size}.`);
  if (crc !== entry.crc)
    throw refuse('archive_checksum', `The archive's entry ${q} is damaged (checksum differs).`, 'Zip and upload again.');
  return written;
}

function inflateSmall(entry: ZipEntry, data: Buffer): Buffer {
  try {
    // The limit is one byte more than stated: that already contradicts the directory, so inflating stops there.
    const { buffer, engine } = inflateRawSync(data, { info: true, maxOutputLength: entry.size + 1 }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (engine.bytesWritten !== data.length) throw hiddenData(entry);
    return buffer;
  } catch (error) {
    throw inflateError(entry, error);
  }
}

async function inflateLarge(entry: ZipEntry, chunks: Generator<Buffer>, take: (chunk: Buffer) => void): Promise<void> {
  if (entry.method === 0) {
    for (const chunk of chunks) take(chunk);
    return;
  }
  const inflate = createInflateRaw({ chunkSize: chunkBytes });
  try {
    await pipeline(Readable.from(chunks), inflate, async (unpacked: AsyncIterable<Buffer>) => {
      for await (const chunk of unpacked) take(chunk);
    });
  } catch (error) {
    throw inflateError(entry, error);
  }
  if (inflate.bytesWritten !== entry.compressed) throw hiddenData(entry);
}

function* readChunks(fd: number, from: number, length: number): Generator<Buffer> {
  for (let at = 0; at < length; at += chunkBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, length - at));
    readFully(fd, chunk, from + at);
    yield chunk;
  }
}

function hiddenData(entry: ZipEntry): Error {
  return refuse('archive_invalid', `The archive hides data after its entry ${quoteName(entry.name)}.`, 'Zip the project again.');
}

function inflateError(entry: ZipEntry, error: unknown): unknown {
  const code = (error as { code?: string }).code ?? '';
  if (code === 'ERR_BUFFER_TOO_LARGE')
    return refuse('archive_mismatch', `The archive's entry ${quoteName(entry.name)} unpacks to more than its stated ${entry.size} bytes.`);
  if (!code.startsWith('Z_')) return error;
  return refuse(
    'archive_checksum',
    `The archive's entry ${quoteName(entry.name)} is damaged (${(error as Error).message}).`,
    'Zip and upload again.',
  );
}

function makeFolder(path: string, made: Set<string>): void {
  if (made.has(path)) return;
  makeFolder(dirname(path), made);
  mkdirSync(path, { mode: 0o755 });
  made.add(path);
}
