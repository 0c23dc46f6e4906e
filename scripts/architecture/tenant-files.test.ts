// Law: only @paddock/safe-files opens paths that tenant code could have made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, readSources } from './sources.ts';

/** Folders whose code handles tenants' paths: archives, builds, agents' folders, stores of databases. */
const FOLDERS = /^(packages\/(builder|runtime|database-driver)\/src|apps\/server\/src\/(features|blobs))\//;

/** Functions that open, follow or walk a path. Functions that make or rename it, and lstat, are not among them. */
const OPENS =
  /^(readFile|open|createReadStream|createWriteStream|copyFile|cp|stat|readdir|opendir|realpath|access|writeFile|appendFile|chmod|chown|lchown|truncate|rm|glob)(Sync)?$|^openAsBlob$/;

/** Files that may use these functions nevertheless, each with the reason why it never opens a tenant's path. */
const REASONS: Record<string, string[]> = {
  'it runs in the sandbox of a step, with the rights of the step alone': [
    'packages/builder/src/launchers/place_packages.mjs',
    'packages/builder/src/launchers/unfetched/run_script.mjs',
  ],
  'it opens only archives and the new folder that it unpacks into, before any program of the archive has run': [
    'packages/builder/src/changes/worker.ts',
    'packages/builder/src/unpack/worker.ts',
    'packages/builder/src/unpack/write-entries.ts',
  ],
  'it runs within the sandbox, as the agent itself': [
    'packages/builder/src/launchers/static-files.mjs',
    'apps/server/src/features/governance/compliance/controls/sandbox/probe.mjs',
  ],
  'it opens what lies beside the folders that steps may change: archives, notes and our own code': [
    'packages/builder/src/artifact.ts',
    'packages/builder/src/build.ts',
    'packages/builder/src/install/cache.ts',
    'packages/builder/src/install/fetch-wheel.ts',
    'packages/builder/src/install/node-headers.ts',
    'packages/builder/src/install/pgvector.ts',
    'packages/builder/src/install/cache-limit.ts',
    'packages/builder/src/install/launchers.ts',
    'packages/builder/src/install/layers.ts',
    'packages/builder/src/install/leases.ts',
    'packages/builder/src/install/lock-folder.ts',
  ],
  "it opens programs and settings of the machine's own": [
    'packages/builder/src/install/toolchain.ts',
    'packages/builder/src/install/known-pythons.ts',
    'packages/builder/src/install/system-parts.ts',
    'packages/builder/src/install/python-store.ts',
    'packages/builder/src/install/tools.ts',
    'packages/builder/src/registry/host-registry.ts',
    'packages/database-driver/src/process/postgres/binaries.ts',
    'packages/database-driver/src/process/postgres/export-sql.ts',
    'packages/database-driver/src/process/redis/binary.ts',
  ],
  'it opens files of the kernel: /proc, /sys and /run/netns': [
    'packages/database-driver/src/process/admission.ts',
    'packages/runtime/src/process/proc/activity.ts',
    'packages/runtime/src/process/limits/cgroup-files.ts',
    'packages/runtime/src/process/limits/cgroup-root.ts',
    'packages/runtime/src/process/sandbox/descriptors.ts',
    'packages/runtime/src/process/network/egress.ts',
    'packages/runtime/src/process/network/slots.ts',
    'packages/runtime/src/process/network/host-rules.ts',
    'packages/runtime/src/process/hosts/filter.ts',
    'packages/runtime/src/process/proc/members.ts',
    'packages/runtime/src/process/proc/ports.ts',
    'packages/runtime/src/process/probe.ts',
    'packages/runtime/src/process/proc/processes.ts',
    'packages/runtime/src/process/network/expose.ts',
    'packages/runtime/src/process/limits/usage.ts',
    'packages/runtime/src/watchdog/stall.ts',
  ],
  'it opens records and output in the folder of an instance, of which a sandbox sees only app, home and tmp': [
    'packages/runtime/src/process/start/create-sandbox.ts',
    'packages/runtime/src/process/end/conclude-exit.ts',
    'packages/runtime/src/process/end/sweep.ts',
    'packages/runtime/src/process/host/host.ts',
    'packages/runtime/src/process/sandbox/launch.ts',
    'packages/runtime/src/process/records/write-record.ts',
    'packages/runtime/src/process/hosts/guard.ts',
    'packages/runtime/src/process/records/records.ts',
    'packages/runtime/src/process/output/tail.ts',
    'packages/runtime/src/process/start/start-service.ts',
    'packages/runtime/src/process/limits/watch.ts',
    'apps/server/src/features/logs/collector.ts',
  ],
  'it copies an artifact, which nothing changes any more, by what lstat says, into a folder that nobody else enters': [
    'packages/runtime/src/process/start/copy-app.ts',
  ],
  'it opens lines of checkpoints in a folder of its own, by the ids of teams': [
    'apps/server/src/features/governance/trail/checkpoints/checkpoint-files.ts',
  ],
  'it opens records and settings of a database, which lie beside the store, and backups': [
    'packages/database-driver/src/process/read-backup.ts',
    'packages/database-driver/src/process/redis/settings.ts',
    'packages/database-driver/src/process/database-folders.ts',
    'packages/database-driver/src/process/setting-file.ts',
    'packages/database-driver/src/process/sync-folder.ts',
    'packages/database-driver/src/process/write-backup.ts',
    'apps/server/src/features/databases/backups/backup-routes.ts',
    'apps/server/src/features/databases/backups/backup-schedule.ts',
    'apps/server/src/features/databases/backups/backup-tasks.ts',
    'apps/server/src/features/databases/node/run-step.ts',
    'apps/server/src/features/governance/compliance/controls/bck-01-backups.ts',
  ],
  'it writes into a restored content that was looked through before, in a folder that no server sees yet': [
    'packages/database-driver/src/process/redis/backup.ts',
    'packages/database-driver/src/process/restore.ts',
  ],
  "it opens archives and backups by the server's own names for them, and examples of the repository": [
    'apps/server/src/blobs/blobs.ts',
    'apps/server/src/features/governance/residency/stores.ts',
    'apps/server/src/features/governance/compliance/controls/enc-01-encryption.ts',
    'apps/server/src/features/deployments/samples.ts',
  ],
  'it opens fonts that came with packages of Paddock': ['apps/server/src/features/billing/invoices/pdf/fonts.ts'],
};

const openers = readSources()
  .filter((source) => FOLDERS.test(source.path) && !isTest(source) && opened(source.text).length > 0)
  .map(({ path }) => path);

test('what tenants could have made is opened by @paddock/safe-files alone: other openers say why their paths are never theirs', () => {
  const allowed = new Set(Object.values(REASONS).flat());
  assert.deepEqual(
    openers.filter((path) => !allowed.has(path)),
    [],
  );
});

test('nobody is excused who opens nothing', () => {
  const known = new Set(openers);
  assert.deepEqual(
    Object.values(REASONS)
      .flat()
      .filter((path) => !known.has(path)),
    [],
  );
});

test('the reader of openers sees every form of import', () => {
  assert.deepEqual(opened("import { join } from 'node:path';\nimport { mkdir, readFile as r,\n  type Stats } from 'node:fs/promises';"), [
    'readFile',
  ]);
  assert.deepEqual(opened("import fs from 'node:fs';"), ['all']);
  assert.deepEqual(opened("import * as fs from 'node:fs';"), ['all']);
  assert.deepEqual(opened("const fs = await import('node:fs');"), ['all']);
  assert.deepEqual(opened("import { lstatSync, constants } from 'node:fs';"), []);
});

/** The opening functions that a file imports. A whole module counts as all of them. */
function opened(text: string): string[] {
  const found: string[] = [];
  for (const [, names = ''] of text.matchAll(/^\s*import\s*\{([^}]*)\}\s*from\s*'node:fs(?:\/promises)?'/gm)) {
    found.push(...names.split(',').map((name) => name.trim().split(' ')[0] ?? ''));
  }
  const isWhole = /^\s*import\s+(?:\*\s+as\s+)?\w+[^{;'"]*from\s*'node:fs|\b(?:import|require|getBuiltinModule)\(\s*['"](?:node:)?fs/m.test(
    text,
  );
  return [...found.filter((name) => OPENS.test(name) || name === 'promises'), ...(isWhole ? ['all'] : [])];
}
