import { refuse } from './entry-rules.ts';
import { readFully } from './read-fully.ts';

const signature = { end: Buffer.from('PK\x05\x06'), locator64: 0x07064b50, end64: 0x06064b50 } as const;
const endBytes = 22;
const maxCommentBytes = 0xffff;

export interface ZipEnd {
  entries: number;
  directoryOffset: number;
  directorySize: number;
}

/** Finds the only end record. It must close the file, and no second record may follow the directory's start. */
export function findEnd(fd: number, fileSize: number): ZipEnd {
  const notZip = () =>
    refuse('not_a_zip', 'The upload is not a ZIP archive.', 'Zip the folder that holds your agent and upload that file.');
  if (fileSize < endBytes) throw notZip();
  const tail = Buffer.alloc(Math.min(fileSize, endBytes + maxCommentBytes + 76));
  const tailStart = fileSize - tail.length;
  readFully(fd, tail, tailStart);
  let at = tail.lastIndexOf(signature.end);
  // A comment may contain the signature on purpose, so the first candidate that closes the file exactly is the record.
  while (at > 0 && !closesFile(tail, at)) at = tail.lastIndexOf(signature.end, at - 1);
  if (at < 0 || !closesFile(tail, at)) throw notZip();
  const end = readEnd(fd, { tail, tailStart, at });
  const directoryEnd = end.directoryOffset + end.directorySize;
  if (directoryEnd !== end.start)
    throw refuse(
      'archive_invalid',
      'The archive’s directory isn’t where its end record says, or other data stands before the archive.',
      'Zip the project again.',
    );
  refuseSecondEnd(fd, { from: end.directoryOffset, fileSize, found: tailStart + at });
  return end;
}

function closesFile(tail: Buffer, at: number): boolean {
  return at + endBytes <= tail.length && at + endBytes + tail.readUInt16LE(at + 20) === tail.length;
}

interface EndPlace {
  /** The last bytes of the file, from position `tailStart` of the file. */
  tail: Buffer;
  tailStart: number;
  /** The position of the end record in `tail`. */
  at: number;
}

function readEnd(fd: number, { tail, tailStart, at }: EndPlace): ZipEnd & { start: number } {
  const here = {
    entries: tail.readUInt16LE(at + 10),
    directorySize: tail.readUInt32LE(at + 12),
    directoryOffset: tail.readUInt32LE(at + 16),
  };
  if (tail.readUInt16LE(at + 8) !== here.entries) throw refuse('archive_invalid', 'The archive is split over several files.');
  const locator = at - 20;
  if (locator < 0 || tail.readUInt32LE(locator) !== signature.locator64) return { ...here, start: tailStart + at };
  const start = Number(tail.readBigUInt64LE(locator + 8));
  if (start > tailStart + locator - 56) throw refuse('archive_invalid', 'The archive’s zip64 record is damaged.');
  const record = Buffer.alloc(56);
  readFully(fd, record, start);
  if (record.readUInt32LE(0) !== signature.end64) throw refuse('archive_invalid', 'The archive’s zip64 record is damaged.');
  const large = {
    entries: Number(record.readBigUInt64LE(32)),
    directorySize: Number(record.readBigUInt64LE(40)),
    directoryOffset: Number(record.readBigUInt64LE(48)),
  };
  const agrees = (small: number, big: number, unset: number) => small === big || small === unset;
  if (
    !agrees(here.entries, large.entries, 0xffff) ||
    !agrees(here.directorySize, large.directorySize, 0xffffffff) ||
    !agrees(here.directoryOffset, large.directoryOffset, 0xffffffff)
  ) {
    throw refuse('archive_mismatch', 'The archive’s two end records contradict each other.');
  }
  return { ...large, start };
}

interface EndSearch {
  from: number;
  fileSize: number;
  /** The position of the only end record. */
  found: number;
}

function refuseSecondEnd(fd: number, { from, fileSize, found }: EndSearch): void {
  const window = Buffer.alloc(Math.min(fileSize - from, 34 * 1024 ** 2));
  readFully(fd, window, from);
  for (let at = window.indexOf(signature.end); at !== -1; at = window.indexOf(signature.end, at + 1)) {
    if (from + at !== found)
      throw refuse(
        'archive_invalid',
        'The archive has two end records, so two readers could see two different contents.',
        'Zip the project again.',
      );
  }
}
