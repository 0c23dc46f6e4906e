import type { ZipEntry } from './zip-directory.ts';

/** The server's limits for the number of links and the length of a target. */
const maxLinks = 1000;
export const maxTargetBytes = 4096;
const localHeaderBytes = 30;

/**
 * The target of each symbolic link by its entry. A link that cannot be read here is absent: the server applies the same rules and reports
 * it. Reads nothing of an archive without links.
 */
export async function readLinkTargets(file: Blob, entries: readonly ZipEntry[], signal?: AbortSignal): Promise<Map<ZipEntry, string>> {
  const targets = new Map<ZipEntry, string>();
  const links = entries.filter(
    ({ isLink, isFolder, packed, unpacked }) => isLink && !isFolder && Math.max(packed, unpacked) <= maxTargetBytes,
  );
  for (const entry of links.slice(0, maxLinks)) {
    signal?.throwIfAborted();
    const target = await readTarget(file, entry);
    if (target !== undefined) targets.set(entry, target);
  }
  return targets;
}

async function readTarget(file: Blob, { offset, packed, unpacked, method }: ZipEntry): Promise<string | undefined> {
  const header = new DataView(await file.slice(offset, offset + localHeaderBytes).arrayBuffer());
  if (header.byteLength < localHeaderBytes || header.getUint32(0, true) !== 0x04034b50) return undefined;
  const at = offset + localHeaderBytes + header.getUint16(26, true) + header.getUint16(28, true);
  const data = new Uint8Array(await file.slice(at, at + packed).arrayBuffer());
  if (method === 0) return new TextDecoder().decode(data);
  return method === 8 ? inflate(data, unpacked) : undefined;
}

/** Returns undefined for damaged data, and for more bytes than the directory states. */
async function inflate(data: Uint8Array<ArrayBuffer>, size: number): Promise<string | undefined> {
  const reader = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes === size ? text + decoder.decode() : undefined;
      bytes += value.length;
      if (bytes > size) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return undefined;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
