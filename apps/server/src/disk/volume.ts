import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';

/** Whether a path is known to be encrypted on disk. `unknown`: a provider or a lower layer may encrypt it, which this machine cannot see. */
export interface Volume {
  /** `memory`: nothing is written to a disk. */
  state: 'encrypted' | 'memory' | 'unknown';
  file_system: string;
  /** The device-mapper mapping that encrypts it. */
  mapping: string | null;
  /** The disk's mount point. */
  mounted_at: string | null;
}
export type VolumeOf = (path: string) => Promise<Volume>;

const encrypting = new Set(['ecryptfs', 'fuse.gocryptfs', 'fuse.cryfs', 'fuse.encfs', 'fuse.securefs']);
const inMemory = new Set(['tmpfs', 'ramfs']);
/** Maximum layers of block devices, such as a volume on an array on an encrypted disk. */
const maxLayers = 8;

interface Mount {
  device: string;
  at: string;
  file_system: string;
}

/** Reads from the kernel which disk is below a path, and whether it is encrypted. */
export async function detectVolume(path: string): Promise<Volume> {
  const mount = deepest(parseMounts(await readFile('/proc/self/mountinfo', 'utf8')), resolve(path));
  const file_system = mount?.file_system ?? 'unknown';
  const mounted_at = mount?.at ?? null;
  if (inMemory.has(file_system)) return { state: 'memory', file_system, mapping: null, mounted_at };
  if (encrypting.has(file_system)) return { state: 'encrypted', file_system, mapping: file_system, mounted_at };
  const mapping = mount ? await encryptingMapping(`/sys/dev/block/${mount.device}`, maxLayers) : null;
  return { state: mapping === null ? 'unknown' : 'encrypted', file_system, mapping, mounted_at };
}

/** Parses lines like `36 35 98:0 /root /mount/point options - ext4 /dev/sda1 …`; a space in a name is \040. */
export function parseMounts(table: string): Mount[] {
  return table.split('\n').flatMap((line) => {
    const words = line.split(' ');
    const [device, at, file_system] = [words[2], words[4], words[words.indexOf('-') + 1]];
    return device && at && file_system ? [{ device, at: at.replaceAll(String.raw`\040`, ' '), file_system }] : [];
  });
}

function deepest(mounts: readonly Mount[], path: string): Mount | undefined {
  const around = mounts.filter(({ at }) => at === '/' || path === at || path.startsWith(at + sep));
  return around.reduce<Mount | undefined>(
    (found, one) => (found === undefined || one.at.length >= found.at.length ? one : found),
    undefined,
  );
}

/** A device is encrypted if a dm-crypt mapping encrypts it, or each device below it is encrypted. */
async function encryptingMapping(device: string, layers: number): Promise<string | null> {
  const uuid = await textOf(join(device, 'dm/uuid'));
  if (uuid.startsWith('CRYPT-')) return (await textOf(join(device, 'dm/name'))) || 'dm-crypt';
  // A partition lists no lower devices; its whole disk does.
  const place = (await readlink(device).catch(unlessMissing)) ?? '';
  const below = (await readdir(join(device, 'slaves')).catch(unlessMissing)) ?? [];
  if (place === '' || below.length === 0 || layers === 0) return null;
  const mappings: string[] = [];
  for (const name of below) {
    const mapping = await encryptingMapping(`/sys/class/block/${basename(name)}`, layers - 1);
    if (mapping === null) return null;
    mappings.push(mapping);
  }
  return mappings.join(', ');
}

const textOf = async (file: string) => ((await readFile(file, 'utf8').catch(unlessMissing)) ?? '').trim();

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (!['ENOENT', 'ENOTDIR', 'EINVAL'].includes(error.code ?? '')) throw error;
  return undefined;
}
