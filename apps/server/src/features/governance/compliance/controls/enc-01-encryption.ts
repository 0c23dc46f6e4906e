import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import { databaseFolder } from '../../../../disk/database-folder-store.ts';
import { detectVolume, type Volume, type VolumeOf } from '../../../../disk/volume.ts';
import type { Seal } from '../../../../secrets/seal.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, type Subject, unverified } from '../finding.ts';
import { loadTeamValues, type SealedValue } from './sealed-values.ts';

/** Samples per column and per kind of file. */
const sampled = 20;
const startBytes = 64;

type Deps = Pick<ControlDeps, 'sql' | 'seal' | 'dataDir' | 'blobDir' | 'databaseUrl'> & {
  /** Replaces the kernel's information. */
  volumes?: VolumeOf;
};

/** File mode bits of the group and of others. */
const othersBits = 0o077;

const encryptFolder =
  'Put the data directory on an encrypted volume (LUKS, or an encrypted disk of your provider), or accept this with a waiver that names what encrypts it.';

/** ENC-01: reads stored bytes, and reports what Paddock seals, what relies on the disk, and whether the disk appears to be encrypted. */
export function encryptionControl({ sql, seal, dataDir, blobDir, databaseUrl, volumes = detectVolume }: Deps): Control {
  return {
    id: 'ENC-01',
    of: 'team',
    async check(team_id, signal) {
      const values = await loadTeamValues(sql, team_id, sampled);
      const kept = await loadNewestFiles(sql, team_id, sampled);
      signal.throwIfAborted();
      const folder = await databaseFolder(sql, { dataDir, databaseUrl });
      const resources = [
        ...sealedBytes(seal, values),
        await keyFile(dataDir, seal),
        ...(await Promise.all(kept.map((file) => fileAt(file, { dataDir, blobDir })))),
        assessDisk({ type: 'installation', id: 'data-directory', name: 'Data directory' }, await volumes(dataDir), {
          holds: 'Backups and the files of managed databases are not sealed by Paddock',
        }),
        assessDisk({ type: 'installation', id: 'archives', name: 'Source archives' }, await volumes(blobDir), {
          holds: 'Uploaded archives are not sealed by Paddock',
        }),
        await postgres(folder, volumes),
      ];
      const looked_at = `The bytes of ${plural(values.length, 'sealed value')}, the start of ${plural(kept.length, 'file')}, the key file, and the disks below the data directory, the archives and PostgreSQL.`;
      return { looked_at, resources };
    },
  };
}

function sealedBytes(seal: Seal, values: readonly SealedValue[]): ControlFinding[] {
  const readable = values.filter((value) => holdsItsText(seal, value));
  const faults = readable.map(({ subject_type, subject_id, subject_name, column }) =>
    failed({ type: subject_type, id: subject_id, name: subject_name }, `The bytes stored in ${column} are not encrypted.`, {
      evidence: { column },
      fix: { text: 'Give the value again: Paddock seals what it stores.' },
    }),
  );
  if (values.length === readable.length) return faults;
  const sealed = values.length - readable.length;
  const finding = `${plural(sealed, 'stored secret')} ${sealed === 1 ? 'was' : 'were'} read as bytes: AES-256-GCM, without their text.`;
  return [passed({ type: 'installation', id: 'secrets', name: 'Stored secrets' }, finding, { values: sealed }), ...faults];
}

/** Whether the stored bytes can be read without a key. Values that cannot be opened are covered by ENC-02. */
function holdsItsText(seal: Seal, { sealed, key_id, context }: SealedValue): boolean {
  if (key_id === null) return true;
  try {
    const text = Buffer.from(seal.open({ sealed, key_id }, context));
    return text.length >= 4 && sealed.includes(text);
  } catch {
    return false;
  }
}

async function keyFile(dataDir: string, seal: Seal): Promise<ControlFinding> {
  const subject: Subject = { type: 'installation', id: 'secret.key', name: 'Key of the installation' };
  const found = await readMode(join(dataDir, 'secret.key'));
  if (found === undefined) {
    const fromSettings = seal.seal('', '').key_id === 'env';
    if (fromSettings) return passed(subject, 'The key comes from PADDOCK_SECRET_KEY, and does not lie beside what it seals.');
    const fix = { text: 'Restore secret.key in the data directory from a backup before the next start.' };
    return unverified(subject, 'The key file is not in the data directory of this server.', { fix });
  }
  const evidence = { mode: found.toString(8) };
  if (found & othersBits) {
    const fix = {
      text: 'On the server: chmod 600 secret.key in the data directory. If others had accounts there meanwhile, rotate the secrets.',
    };
    return failed(subject, `Other users of the machine may read the key that opens all secrets (mode ${evidence.mode}).`, {
      evidence,
      fix,
    });
  }
  return passed(subject, 'The key file can be read by the platform’s user alone.', evidence);
}

async function fileAt(
  { kind, subject_type: type, subject_id: id, subject_name: name, path }: StoredFile,
  { dataDir, blobDir }: Pick<Deps, 'dataDir' | 'blobDir'>,
): Promise<ControlFinding> {
  const subject: Subject = { type, id, name };
  const folder = kind === 'backup' ? join(dataDir, 'database-backups') : blobDir;
  const what = kind === 'backup' ? 'backup' : 'archive';
  const mode = await readMode(join(folder, path));
  if (mode === undefined) {
    const fix = { text: 'Run the check on the server that has the file, or look whether it was deleted.' };
    return unverified(subject, `The file of this ${what} is not on this server.`, { fix });
  }
  const start = await readFileStart(join(folder, path));
  const evidence = { mode: mode.toString(8), format: detectPlainFormat(start) };
  if (mode & othersBits) {
    const fix = { text: `On the server: chmod 600 for the file ${path}, and 700 for its folder.` };
    return failed(subject, `Other users of the machine may read the file of this ${what} (mode ${evidence.mode}).`, { evidence, fix });
  }
  return passed(
    subject,
    `The ${what} is kept as ${evidence.format}, readable by the platform’s user alone; it is encrypted as far as its disk is.`,
    evidence,
  );
}

async function readFileStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function detectPlainFormat(start: Buffer): string {
  if (start.subarray(0, 4).equals(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))) return 'plain Zstandard';
  if (start.subarray(0, 2).toString('latin1') === 'PK') return 'plain ZIP';
  if (start.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return 'plain gzip';
  return 'plain bytes';
}

function assessDisk(subject: Subject, { state, file_system, mapping }: Volume, { holds }: { holds: string }): ControlFinding {
  const evidence = { file_system, mapping };
  if (state === 'encrypted') return passed(subject, `${holds}; the disk below them is encrypted (${mapping}).`, evidence);
  if (state === 'memory') return passed(subject, `${holds}; they lie in memory (${file_system}) and on no disk.`, evidence);
  return unverified(subject, `${holds}. This machine does not show whether the disk below them (${file_system}) is encrypted.`, {
    evidence,
    fix: { text: encryptFolder },
  });
}

async function postgres(folder: string | null, volumes: VolumeOf): Promise<ControlFinding> {
  const subject: Subject = { type: 'installation', id: 'postgresql', name: 'PostgreSQL of Paddock' };
  const holds = 'Redacted bodies, log lines and spans are rows of PostgreSQL and not sealed by Paddock';
  const isHere = folder !== null && (await readMode(folder)) !== undefined;
  if (isHere) return assessDisk(subject, await volumes(folder), { holds });
  return unverified(subject, `${holds}. This server does not see the disk of PostgreSQL.`, {
    fix: { text: 'Encrypt the disk of the PostgreSQL server, and accept this with a waiver that names what encrypts it.' },
  });
}

async function readMode(path: string): Promise<number | undefined> {
  try {
    return (await lstat(path)).mode & 0o777;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** A file that Paddock keeps for a team, below a folder of the data directory. */
interface StoredFile {
  kind: 'backup' | 'archive';
  subject_type: string;
  subject_id: string;
  subject_name: string | null;
  path: string;
}

const loadNewestFiles = async (sql: Sql, team_id: string, limit: number): Promise<StoredFile[]> => {
  const backups = sql<StoredFile[]>`
    select
      'backup' as kind, 'database_backup' as subject_type, k.id as subject_id, b.type || ' of ' || p.name || ', ' || b.environment as subject_name,
      k.database_id || '/' || k.id as path
    from database_backups k
    join databases b on b.id = k.database_id
    join projects p on p.id = b.project_id
    where k.team_id = ${team_id}
      and k.status = 'available'
    order by k.created_at desc
    limit ${limit}`;
  const archives = sql<StoredFile[]>`
    select
      'archive' as kind, 'deployment' as subject_type, d.id as subject_id, d.source_name as subject_name, d.source_blob as path
    from deployments d
    where d.team_id = ${team_id}
    order by d.created_at desc
    limit ${limit}`;
  return (await Promise.all([backups, archives])).flat();
};
