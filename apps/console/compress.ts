import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

/** Fonts and pictures are compressed already. */
const texts = /\.(css|html|js|json|svg|txt|webmanifest)$/;
/** A compressed variant that saves less than this is not worth its header. */
const savedBytes = 64;

/** Writes compressed variants beside the built files, at the highest level: `x.js.br` and `x.js.gz`. */
export function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    // The server inserts its settings into the page and compresses it itself.
    if (!texts.test(name) || name === 'index.html' || /(^|\/)\./.test(name)) continue;
    const path = join(folder, name);
    const body = readFileSync(path);
    const br = brotliCompressSync(body, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length },
    });
    const forms = { br, gz: gzipSync(body, { level: zlib.Z_BEST_COMPRESSION }) };
    for (const [ending, form] of Object.entries(forms))
      if (form.length + savedBytes < body.length) writeFileSync(`${path}.${ending}`, form);
  }
}
