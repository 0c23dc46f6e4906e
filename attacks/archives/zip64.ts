import { writeZip } from '../../packages/builder/test/write-zip.ts';

/** Fields of a zip64 end record. Each of them can be a lie. */
interface End64 {
  entries?: bigint;
  directoryBytes?: bigint;
  directoryAt?: bigint;
  /** Offset of the record according to the locator. */
  at?: bigint;
}

const good = { name: 'start.sh', data: 'echo started\n' };
const plain = writeZip([good]);
const directoryAt = plain.readUInt32LE(plain.length - 6);
const directoryBytes = plain.readUInt32LE(plain.length - 10);

/** A small archive with its real numbers in a zip64 record, except for the given lies. */
export function withEnd64(lies: End64): Buffer {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(lies.entries ?? 1n, 24);
  record.writeBigUInt64LE(lies.entries ?? 1n, 32);
  record.writeBigUInt64LE(lies.directoryBytes ?? BigInt(directoryBytes), 40);
  record.writeBigUInt64LE(lies.directoryAt ?? BigInt(directoryAt), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(lies.at ?? BigInt(directoryAt + directoryBytes), 8);
  locator.writeUInt32LE(1, 16);
  const zip = writeZip([good], { beforeEnd: Buffer.concat([record, locator]) });
  zip.writeUInt16LE(0xffff, zip.length - 14);
  zip.writeUInt16LE(0xffff, zip.length - 12);
  zip.writeUInt32LE(0xffffffff, zip.length - 10);
  zip.writeUInt32LE(0xffffffff, zip.length - 6);
  return zip;
}

/** An entry whose zip64 field states these sizes instead of the 32-bit ones. */
export function withSizes64(size: bigint, compressed: bigint): Buffer {
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(size, 4);
  extra.writeBigUInt64LE(compressed, 12);
  return writeZip([{ ...good, extra, size: 0xffffffff, compressed: 0xffffffff }]);
}
