import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addPgvector, extensionsFolder, pgvectorName } from '@paddock/builder';
import type { Extensions } from '@paddock/database-driver';
import type { Log } from '@paddock/runtime';

/** Longest delay of the start of a database. Extensions that come later are there for its next session. */
const waitMs = 15_000;
const fetchMs = 180_000;
const retryMs = 10 * 60_000;

/** Extensions of managed databases, fetched when the first database starts on this machine. */
export function postgresExtensions(dataDir: string, log: Log): Extensions {
  const folder = extensionsFolder(dataDir);
  let fetching: Promise<void> | undefined;
  let nextAt = 0;

  async function add(): Promise<void> {
    try {
      await addPgvector(dataDir, AbortSignal.timeout(fetchMs));
    } catch (error) {
      nextAt = Date.now() + retryMs;
      log.warn({ err: error }, 'Managed databases have no pgvector: it could not be fetched.');
    } finally {
      fetching = undefined;
    }
  }

  return {
    folder,
    vector: pgvectorName,
    async prepare() {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      if (existsSync(join(folder, pgvectorName)) || Date.now() < nextAt) return;
      fetching ??= add();
      await Promise.race([fetching, sleep(waitMs, undefined, { ref: false })]);
    },
  };
}
