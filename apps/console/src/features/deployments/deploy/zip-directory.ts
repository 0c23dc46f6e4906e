import { archiveLimits } from '@paddock/contract/limits';

export interface ZipEntry {
  name: string;
  packed: number;
  unpacked: number;
  isFolder: boolean;
  isEncrypted: boolean;
  isLink: boolean;
  method: number;
  /** Offset of the entry's local header in the file. */
  offset: number;
}

/** Why the file cannot be read as a ZIP archive, worded for the person. */
export class ZipError extends Error {}

const endSize = 22;
const locatorSize = 20;
const maxCommentBytes = 0xffff;
const entrySize = 46;
// The names and extra fields of the maximum number of entries fit well; a larger directory is refused unread.
const maxDirectoryBytes = 64 * 1024 ** 2;

/**
 * Reads the names and sizes in a ZIP file from the directory at its end; nothing is unpacked and the rest of the file is not read. Throws
 * ZipError if the file is not an archive, is truncated, or states impossible sizes. Reads one entry more than is allowed, so that the
 * caller sees the excess.
 */
export async function readZipDirectory(file: Blob, signal?: AbortSignal): Promise<ZipEntry[]> {
  const { at, size } = await findDirectory(file);
  signal?.throwIfAborted();
  if (size > maxDirectoryBytes) throw new ZipError('The list of files in this archive is too long.');
  if (at + size > file.size) throw new ZipError('This archive is cut off. Pack it again.');
  return parseDirectory(await view(file, at, size));
}

async function findDirectory(file: Blob): Promise<{ at: number; size: number }> {
  if (file.size < endSize) throw notAnArchive();
  const tailAt = Math.max(0, file.size - endSize - maxCommentBytes - locatorSize);
  const tail = await view(file, tailAt, file.size - tailAt);
  for (let at = tail.byteLength - endSize; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== 0x06054b50) continue;
    // A comment may contain the signature; the real end record extends to the end of the file.
    if (at + endSize + tail.getUint16(at + 20, true) !== tail.byteLength) continue;
    if (tail.getUint16(at + 4, true) !== tail.getUint16(at + 6, true)) throw new ZipError('Archives in several parts are not accepted.');
    const size = tail.getUint32(at + 12, true);
    const directoryAt = tail.getUint32(at + 16, true);
    const entries = tail.getUint16(at + 10, true);
    const isLarge = size === 0xffffffff || directoryAt === 0xffffffff || entries === 0xffff;
    return (isLarge && (await findLargeDirectory(file, tail, at - locatorSize))) || { at: directoryAt, size };
  }
  throw notAnArchive();
}

/** ZIP64: a locator before the end record points to a second one with wide fields. */
async function findLargeDirectory(file: Blob, tail: DataView, locator: number): Promise<{ at: number; size: number } | null> {
  if (locator < 0 || tail.getUint32(locator, true) !== 0x07064b50) return null;
  const recordAt = wide(tail, locator + 8);
  if (recordAt + 56 > file.size) throw new ZipError('This archive is cut off. Pack it again.');
  const record = await view(file, recordAt, 56);
  if (record.getUint32(0, true) !== 0x06064b50) throw notAnArchive();
  return { size: wide(record, 40), at: wide(record, 48) };
}

function parseDirectory(directory: DataView): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + entrySize <= directory.byteLength && entries.length <= archiveLimits.entries) {
    if (directory.getUint32(at, true) !== 0x02014b50) break;
    const nameLength = directory.getUint16(at + 28, true);
    const extraLength = directory.getUint16(at + 30, true);
    const end = at + entrySize + nameLength + extraLength + directory.getUint16(at + 32, true);
    if (end > directory.byteLength) throw new ZipError('The list of files in this archive is damaged. Pack it again.');
    entries.push(parseEntry(directory, { at, nameLength, extraLength }));
    at = end;
  }
  if (entries.length <= archiveLimits.entries && at !== directory.byteLength && directory.getUint32(at, true) !== 0x05054b50)
    throw new ZipError('The list of files in this archive is damaged. Pack it again.');
  return entries;
}

/** Offset of an entry, and the lengths of its name and its extra fields. */
type EntryPlace = { at: number; nameLength: number; extraLength: number };

function parseEntry(directory: DataView, place: EntryPlace): ZipEntry {
  const { at, nameLength } = place;
  const name = text.decode(new Uint8Array(directory.buffer, directory.byteOffset + at + entrySize, nameLength));
  const sizes = wideSizes(directory, place);
  const mode = directory.getUint32(at + 38, true) >>> 16;
  return {
    name,
    ...sizes,
    isFolder: name.endsWith('/'),
    isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
    isLink: (mode & 0o170000) === 0o120000,
    method: directory.getUint16(at + 10, true),
    offset: directory.getUint32(at + 42, true),
  };
}

/** Sizes of 4 GB and more are in an extra field, each only if its narrow field is full. */
function wideSizes(directory: DataView, { at, nameLength, extraLength }: EntryPlace) {
  const extraAt = at + entrySize + nameLength;
  let packed = directory.getUint32(at + 20, true);
  let unpacked = directory.getUint32(at + 24, true);
  if (packed !== 0xffffffff && unpacked !== 0xffffffff) return { packed, unpacked };
  for (let field = extraAt; field + 4 <= extraAt + extraLength; field += 4 + directory.getUint16(field + 2, true)) {
    if (directory.getUint16(field, true) !== 1) continue;
    const end = Math.min(field + 4 + directory.getUint16(field + 2, true), extraAt + extraLength);
    let value = field + 4;
    if (unpacked === 0xffffffff && value + 8 <= end) {
      unpacked = wide(directory, value);
      value += 8;
    }
    if (packed === 0xffffffff && value + 8 <= end) packed = wide(directory, value);
    break;
  }
  return { packed, unpacked };
}

const text = new TextDecoder();
const notAnArchive = () => new ZipError('This file is not a ZIP archive.');
// A number above 2^53 is not exact, but it exceeds every limit anyway.
const wide = (data: DataView, at: number) => Number(data.getBigUint64(at, true));
const view = async (file: Blob, at: number, size: number) => new DataView(await file.slice(at, at + size).arrayBuffer());
