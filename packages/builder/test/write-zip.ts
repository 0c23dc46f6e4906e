import { crc32, deflateRawSync } from 'node:zlib';

/** An entry to write. Every field of the format can be set to a false value. */
export interface Entry {
  name: string | Buffer;
  data?: string | Buffer;
  method?: number;
  /** Unix mode with file type, as in the directory's external attributes. */
  mode?: number;
  flags?: number;
  crc?: number;
  size?: number;
  compressed?: number;
  localName?: string;
  localSize?: number;
  localMethod?: number;
  /** An offset in the directory that differs from the entry's position. */
  offset?: number;
  extra?: Buffer;
  /** Bytes between this entry and the next. */
  gap?: Buffer;
  packed?: Buffer;
  /** A date, to the day. If absent, none is written, as by packers without a date. */
  date?: Date;
}

/** Writes a ZIP without zip64. `prefix`, `comment` and `tail` are written around it unchanged. */
export function writeZip(
  entries: Entry[],
  more: { prefix?: Buffer; shift?: boolean; comment?: Buffer; count?: number; beforeEnd?: Buffer } = {},
): Buffer {
  const prefix = more.prefix ?? Buffer.alloc(0);
  const parts: Buffer[] = [prefix];
  const directory: Buffer[] = [];
  let at = more.shift ? prefix.length : 0;
  for (const e of entries) {
    const name = Buffer.from(e.name);
    const data = Buffer.from(e.data ?? '');
    const method = e.method ?? (data.length > 0 ? 8 : 0);
    const packed = e.packed ?? (method === 8 ? deflateRawSync(data) : data);
    const crc = e.crc ?? crc32(data);
    const localName = Buffer.from(e.localName ?? name);
    const day =
      e.date === undefined ? 0 : ((e.date.getUTCFullYear() - 1980) << 9) | ((e.date.getUTCMonth() + 1) << 5) | e.date.getUTCDate();
    const extra = e.extra ?? Buffer.alloc(0);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(e.flags ?? 0x800, 6);
    local.writeUInt16LE(e.localMethod ?? method, 8);
    local.writeUInt16LE(day, 12);
    local.writeUInt32LE(crc, 14);
    local.writeUInt32LE(e.compressed ?? packed.length, 18);
    local.writeUInt32LE(e.localSize ?? e.size ?? data.length, 22);
    local.writeUInt16LE(localName.length, 26);
    local.writeUInt16LE(extra.length, 28);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE((3 << 8) | 20, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(e.flags ?? 0x800, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt16LE(day, 14);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(e.compressed ?? packed.length, 20);
    central.writeUInt32LE(e.size ?? data.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(((e.mode ?? 0o100644) << 16) >>> 0, 38);
    central.writeUInt32LE(e.offset ?? at, 42);
    directory.push(central, name, extra);
    const written = [local, localName, extra, packed, e.gap ?? Buffer.alloc(0)];
    parts.push(...written);
    at += Buffer.concat(written).length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(more.count ?? entries.length, 8);
  end.writeUInt16LE(more.count ?? entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(more.comment?.length ?? 0, 20);
  return Buffer.concat([...parts, list, more.beforeEnd ?? Buffer.alloc(0), end, more.comment ?? Buffer.alloc(0)]);
}
