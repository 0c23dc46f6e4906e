import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { type BackupWorld, backupWorld } from '../../../../test/backups.ts';
import { calledBy } from '../../../../test/database-rows.ts';

let world: BackupWorld;
before(async () => {
  world = await backupWorld();
});

test('an export is what pg_dump writes, a few at a time, and the password is no argument of it', async () => {
  const ada = await world.team();
  const id = await world.row(ada, { version: '18.4', port: 5999 });
  const folder = join(world.dataDir, 'programs');
  await mkdir(folder);
  const program = `#!/bin/sh\n[ "$1" = --version ] && { echo "pg_dump (PostgreSQL) 18.1"; exit; }\necho "-- $@"\n[ -n "$PGPASSWORD" ] && echo "-- with a password"\n`;
  await writeFile(join(folder, 'pg_dump'), program, { mode: 0o755 });
  const { exportSql } = world.handlersWith({ path: `${folder}:/usr/bin:/bin` });
  const { body, file_name } = await exportSql({ id }, calledBy(ada));
  const text = Buffer.concat(await body.toArray()).toString();
  assert.equal(file_name, 'demo-production.sql');
  assert.match(text, /^-- .*--port 5999.*\n-- with a password\n$/);
  assert.doesNotMatch(text, /password=|--password/);
  const open = await Promise.all(Array.from({ length: 4 }, () => exportSql({ id }, calledBy(ada))));
  await assert.rejects(exportSql({ id }, calledBy(ada)), { code: 'too_many_requests' });
  for (const each of open) await each.body.toArray();
  await Promise.all(
    open.map(async ({ body }) => {
      if (!body.closed) await once(body, 'close');
    }),
  );
  await (await exportSql({ id }, calledBy(ada))).body.toArray();
});

test('without a pg_dump that fits, an export says what to install', async () => {
  const ada = await world.team();
  const id = await world.row(ada, { version: '18.4' });
  await assert.rejects(world.handlers.exportSql({ id }, calledBy(ada)), { code: 'export_unavailable', message: /postgresql-client-18/ });
  const redis = await world.row(ada, { type: 'redis' });
  await assert.rejects(world.handlers.exportSql({ id: redis }, calledBy(ada)), { code: 'export_unavailable', message: /Only PostgreSQL/ });
});
