import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { unappliedMigrations } from './migrations.ts';
import { openTree } from './source-tree.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-migrations-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;

async function unapplied(files: Record<string, string>, start: string[]) {
  const dir = join(home, String(count++));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return unappliedMigrations(await openTree(dir), start);
}

const prisma = { 'prisma/schema.prisma': '', 'prisma/migrations/1_init/migration.sql': '' };
const django = { 'manage.py': '', 'desk/migrations/0001_initial.py': '' };
const alembic = { 'alembic.ini': '', 'alembic/env.py': 'command.upgrade()', 'alembic/versions/1_notes.py': 'create_all()' };

test('migrations that nothing applies are told with the start that does, whatever tool made them', async () => {
  assert.deepEqual(await unapplied(prisma, ['node', 'server.js']), {
    folder: 'prisma/migrations',
    start: 'npx prisma migrate deploy && node server.js',
  });
  assert.deepEqual(await unapplied(django, ['/bin/sh', '-c', 'gunicorn desk.wsgi']), {
    folder: 'desk/migrations',
    start: 'python manage.py migrate --noinput && gunicorn desk.wsgi',
  });
  assert.deepEqual(await unapplied(alembic, ['uvicorn', 'main:app']), {
    folder: 'alembic/versions',
    start: 'alembic upgrade head && uvicorn main:app',
  });
});

test('nothing is said of migrations that the start, a script, an image or the source applies', async () => {
  const start = ['node', 'server.js'];
  assert.equal(
    await unapplied({ ...prisma, 'package.json': '{"scripts": {"start": "prisma migrate deploy && node a.js"}}' }, start),
    undefined,
  );
  assert.equal(await unapplied({ ...prisma, 'entrypoint.sh': 'npx prisma db push\n' }, start), undefined);
  assert.equal(await unapplied({ ...django, Dockerfile: 'CMD python manage.py migrate && gunicorn desk\n' }, start), undefined);
  assert.equal(await unapplied(django, ['/bin/sh', '-c', 'python manage.py migrate && gunicorn desk.wsgi']), undefined);
  assert.equal(await unapplied({ ...alembic, 'main.py': 'Base.metadata.create_all(engine)\n' }, start), undefined);
  assert.equal(await unapplied({ 'migrations/0001_notes.py': '' }, start), undefined);
});
