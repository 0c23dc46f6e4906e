import { crc32 } from 'node:zlib';

/** A small valid archive with stored entries. Names are used as given, including hostile ones. */
export function storedZip(files: Record<string, string | Buffer>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const [path, data] = [Buffer.from(name), typeof content === 'string' ? Buffer.from(content) : content];
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(crc32(data), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(data.length, 18);
    shared.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, data]);
    bodies.push(body);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, place, path]));
    at += body.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, entries, end]);
}
