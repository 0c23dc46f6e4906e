import { crc32, deflateRawSync } from 'node:zlib';
import { writeZip } from '../../packages/builder/test/write-zip.ts';

/** Nested archives, 16 per level like the well-known 42.zip. Each of them is harmless by itself. */
export function nested(levels: number, width = 16): Buffer {
  let inner = writeZip([{ name: 'zeros', data: Buffer.alloc(1024 * 1024) }]);
  for (let level = 0; level < levels; level++)
    inner = writeZip(Array.from({ length: width }, (_, n) => ({ name: `lib ${n}.zip`, data: inner })));
  return inner;
}

/** Text that compresses about fifty to one, below the limit of the ratio, so that only the overlap itself can reveal the bomb. */
const kernel = (bytes: number) => {
  const text = Buffer.alloc(bytes);
  for (let at = 0, n = 7; at < bytes; at += 64) text.write(String((n = (n * 48_271) % 2_147_483_647)), at);
  return text;
};

/** Many names for the same data. */
export function sharedData(names: number): Buffer {
  const data = kernel(2 * 1024 * 1024);
  const packed = deflateRawSync(data);
  return writeZip(
    Array.from({ length: names }, (_, n) => ({
      name: `f${n}`,
      data,
      packed: n === 0 ? packed : Buffer.alloc(0),
      compressed: packed.length,
      offset: 0,
    })),
  );
}

/**
 * The better zip bomb (Fifield): each entry's data begins with a stored block that quotes the next entry's header and continues with that
 * entry's data. Every local header is correct, and all files share the kernel.
 */
export function quoted(names: number): Buffer {
  const kernelData = kernel(1024 * 1024);
  let data = kernelData;
  let packed = deflateRawSync(kernelData);
  const headers: Buffer[] = [];
  const entries: { name: string; size: number; crc: number; compressed: number }[] = [];
  for (let n = names - 1; n >= 0; n--) {
    const name = `f${n}`;
    const header = localHeader({ name, crc: crc32(data), compressed: packed.length, size: data.length });
    entries.unshift({ name, size: data.length, crc: crc32(data), compressed: packed.length });
    headers.unshift(header);
    if (n === 0) break;
    const block = Buffer.alloc(5);
    block.writeUInt16LE(header.length, 1);
    block.writeUInt16LE(~header.length & 0xffff, 3);
    packed = Buffer.concat([block, header, packed]);
    data = Buffer.concat([header, data]);
  }
  const body = Buffer.concat([headers[0]!, packed]);
  let at = 0;
  const directory = entries.map((entry, n) => {
    const central = centralHeader(entry, at);
    at += headers[n]!.length + 5;
    return central;
  });
  const list = Buffer.concat(directory);
  return Buffer.concat([body, list, endRecord(names, list.length, body.length)]);
}

type Entry = { name: string; size: number; crc: number; compressed: number };

function localHeader({ name, crc, compressed, size }: Entry): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(compressed, 18);
  head.writeUInt32LE(size, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name)]);
}

function centralHeader({ name, size, crc, compressed }: Entry, offset: number) {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE((3 << 8) | 20, 4);
  head.writeUInt16LE(20, 6);
  head.writeUInt16LE(8, 10);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(compressed, 20);
  head.writeUInt32LE(size, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, Buffer.from(name)]);
}

/** The end record without zip64. */
export function endRecord(entries: number, directoryBytes: number, directoryAt: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(directoryAt, 16);
  return end;
}
