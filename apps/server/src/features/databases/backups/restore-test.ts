import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { BackupRefused, type DatabaseAddress, type DatabaseDriver, type DatabaseSpec } from '@paddock/database-driver';
import type { PeriodicJob } from '../../../jobs/periodic.ts';
import type { Log } from '../../../log.ts';
import type { LiveDatabase, ManagedRow } from '../rows.ts';
import { backupFile } from './backup-tasks.ts';
import { type Content, countContent } from './content-store.ts';
import type { Counted, RestoreTestStore, ToTest } from './restore-test-store.ts';

const everySeconds = 3_600;
const maxMs = 10 * 60_000;
/** Free space required, as a multiple of the content's size. */
const room = 2;
/** Maximum compression: the content is at most this many times the size of the backup. */
const packed = 10;
const prefix = 'rst_';

export interface RestoreTestParts {
  store: Pick<RestoreTestStore, 'due' | 'passed' | 'failed'>;
  driver: Pick<DatabaseDriver, 'restore' | 'remove' | 'measure' | 'list'>;
  toDatabaseSpec: (row: ManagedRow) => DatabaseSpec;
  live: () => readonly LiveDatabase[];
  backupsDir: string;
  dataDir: string;
  node: string;
  log: Log;
}

/** Restores the newest backup of each database in turn into a scratch instance, compares the content, and removes the instance. */
export function restoreTestJob({ store, driver, toDatabaseSpec, live, backupsDir, dataDir, node, log }: RestoreTestParts) {
  const closing = new AbortController();
  const scratch = new Set<string>();
  let underWay: Promise<void> | undefined;

  /** Tests the backup that has waited longest. False if none is due. */
  async function testNext(): Promise<boolean> {
    await removeLeft();
    const due = await store.due();
    if (!due) return false;
    try {
      await store.passed(due, await test(due));
    } catch (error) {
      if (closing.signal.aborted) return false;
      log.warn({ err: error, database: due.id, backup: due.backup_id }, 'backup restore test failed');
      await store.failed(due, error instanceof Error ? error.message : String(error));
    }
    return true;
  }

  async function test(due: ToTest): Promise<Counted> {
    const needed = room * (due.database_bytes ?? due.backup_bytes * packed);
    const { bavail, bsize } = await statfs(dataDir);
    if (bavail * bsize < needed) throw new Error(`There is no room for a scratch instance: it needs ${needed} bytes.`);
    const id = `${prefix}${randomBytes(8).toString('hex')}`;
    const spec = { ...toDatabaseSpec(due), id, password: randomBytes(24).toString('base64url') };
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(maxMs)]);
    scratch.add(id);
    try {
      const address = await driver.restore(spec, { file: fileOf(due), sha256: due.sha256 }, signal);
      const restored = await countContents(spec, address);
      const source = live().find(({ row }) => row.id === due.id);
      return compared(restored, source ? await countContents(source.spec, source.address) : undefined);
    } finally {
      await driver.remove(id);
      scratch.delete(id);
    }
  }

  const fileOf = ({ id, backup_id }: ToTest) => backupFile(backupsDir, { database_id: id, id: backup_id });

  /** Redis offers its users no digest, so only its keys are counted. */
  async function countContents(spec: DatabaseSpec, address: DatabaseAddress): Promise<Map<string, Content>> {
    if (spec.type === 'postgresql') return countContent(address, spec.password);
    return new Map([['keys', { rows: (await driver.measure(spec, address)).keys ?? 0, digest: null }]]);
  }

  /** Removes scratch instances left by a server that died during a test. */
  async function removeLeft(): Promise<void> {
    for (const { id } of await driver.list()) if (id.startsWith(prefix) && !scratch.has(id)) await driver.remove(id);
  }

  // The job does not wait for the test, so that other jobs can run.
  const begin = async () => {
    underWay ??= testNext()
      .then(
        () => undefined,
        (error: unknown) => log.warn({ err: error }, 'backup restore tests could not run; retrying in an hour'),
      )
      .finally(() => (underWay = undefined));
  };
  const job: PeriodicJob = { name: 'database-backup.test', of: node, everySeconds, run: begin };
  return {
    job,
    testNext,
    /** Whether the instance belongs to a running test. */
    isScratch: (id: string) => scratch.has(id),
    async close() {
      closing.abort();
      await underWay;
    },
  };
}

/** Throws when the backup is empty but the database is not. */
function compared(restored: Map<string, Content>, now: Map<string, Content> | undefined): Counted {
  const sum = (contents: Map<string, Content>) => [...contents.values()].reduce((total, { rows }) => total + rows, 0);
  const counted = { tables: restored.size, rows_restored: sum(restored) };
  if (!now) return { ...counted, equal_tables: null, rows_now: null };
  const rows_now = sum(now);
  if (counted.rows_restored === 0 && rows_now > 0) throw new BackupRefused('The restored backup is empty, and the database is not.');
  return {
    ...counted,
    rows_now,
    equal_tables: [...restored].filter(([name, content]) => isDeepStrictEqual(now.get(name), content)).length,
  };
}
