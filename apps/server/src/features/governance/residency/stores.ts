import { lstat, realpath, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Residency } from '@paddock/contract';
import type { Core } from '../../../core.ts';
import { databaseFolder } from '../../../disk/database-folder-store.ts';
import { detectVolume, type VolumeOf } from '../../../disk/volume.ts';

type Store = Residency['stores'][number];

export interface StoreParts {
  sql: Core['sql'];
  config: Pick<Core['config'], 'dataDir' | 'blobDir' | 'databaseUrl'>;
  /** Replaces the kernel's facts. */
  volumes?: VolumeOf | undefined;
}

const holds = {
  platform_database: 'Accounts, records of the audit trail, log lines, traces, settings and sealed secrets',
  data_directory: 'Built agents, what they write, and their output until it is stored',
  archives: 'Uploaded source archives',
  backups: 'Backups of managed databases',
  managed_databases: 'Managed PostgreSQL and Redis databases of agents',
  audit_checkpoints: 'Signed checkpoints of the audit trail',
} as const satisfies Record<Store['store'], string>;

/** The stores of the team's data. Volumes are named by their mount points, never by the folders on them, which are the operator's. */
export async function listStores({ sql, config, volumes = detectVolume }: StoreParts): Promise<Store[]> {
  const { dataDir, blobDir, databaseUrl } = config;
  const onDisk = async (store: Store['store'], folder: string): Promise<Store> => {
    // A separate folder may be a link to another disk, and may not exist before something is stored in it.
    const { state, file_system, mounted_at } = await volumes((await unlessUnseen(realpath(folder))) ?? folder);
    const space = await unlessUnseen(statfs(mounted_at ?? folder));
    return {
      store,
      holds: holds[store],
      host: null,
      mounted_at,
      file_system,
      encryption: state,
      free_bytes: space === null ? null : space.bavail * space.bsize,
      total_bytes: space === null ? null : space.blocks * space.bsize,
    };
  };
  const host = databaseUrl === undefined ? null : otherHost(databaseUrl);
  const folder = host === null ? await databaseFolder(sql, config) : null;
  return [
    folder === null || (await unlessUnseen(lstat(folder))) === null ? unseenDatabase(host) : await onDisk('platform_database', folder),
    await onDisk('data_directory', dataDir),
    await onDisk('archives', blobDir),
    await onDisk('managed_databases', join(dataDir, 'databases')),
    await onDisk('backups', join(dataDir, 'database-backups')),
    await onDisk('audit_checkpoints', join(dataDir, 'audit-checkpoints')),
  ];
}

/** Null for a path that is not on this machine, or that this server may not read. */
async function unlessUnseen<T>(looked: Promise<T>): Promise<T | null> {
  try {
    return await looked;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const unseenDatabase = (host: string | null): Store => ({
  store: 'platform_database',
  holds: holds.platform_database,
  host,
  mounted_at: null,
  file_system: null,
  encryption: 'unknown',
  free_bytes: null,
  total_bytes: null,
});

/** The host of a URL, without the user; null if it is this machine. */
function otherHost(address: string): string | null {
  const host = URL.parse(address)?.hostname ?? '';
  return host === '' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(host) ? null : host;
}
