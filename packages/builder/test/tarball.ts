import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

export interface TarEntry {
  /** The path in the archive, including the first folder. */
  name: string;
  text?: string;
  /** `0` is a file, `1` and `2` are links, `5` is a folder. */
  type?: string;
  link?: string;
  mode?: string;
}

/** A package as registries serve it. */
export function tarball(entries: TarEntry[]): { bytes: Buffer; integrity: string } {
  const parts = entries.flatMap(({ name, text = '', type = '0', link = '', mode = '0000644' }) => {
    const data = Buffer.from(text);
    const head = Buffer.alloc(512);
    head.write(name, 0);
    head.write(`${mode}\0`, 100);
    for (const at of [108, 116]) head.write('0000000\0', at);
    head.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('00000000000\0', 136);
    head.write(`        ${type}`, 148);
    head.write(link, 157);
    head.write('ustar\x0000', 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [head, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  const bytes = gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
  return { bytes, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` };
}
