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

async function unapplied(files: Record<string, string>, commands: Parameters<typeof unappliedMigrations>[1]) {
  const dir = join(home, String(count++));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return unappliedMigrations(await openTree(dir), commands);
}

const prisma = { 'prisma/schema.prisma': '', 'prisma/migrations/1_init/migration.sql': '' };
const django = { 'manage.py': '', 'desk/migrations/0001_initial.py': '' };
const alembic = { 'alembic.ini': '', 'alembic/env.py': 'command.upgrade()', 'alembic/versions/1_notes.py': 'create_all()' };

test('migrations that nothing applies are told with the start that does, whatever tool made them', async () => {
  assert.deepEqual(await unapplied(prisma, { start: ['node', 'server.js'] }), {
    folder: 'prisma/migrations',
    start: 'npx prisma migrate deploy && node server.js',
  });
  assert.deepEqual(await unapplied(django, { start: ['/bin/sh', '-c', 'gunicorn desk.wsgi'] }), {
    folder: 'desk/migrations',
    start: 'python manage.py migrate --noinput && gunicorn desk.wsgi',
  });
  assert.deepEqual(await unapplied(alembic, { start: ['uvicorn', 'main:app'] }), {
    folder: 'alembic/versions',
    start: 'alembic upgrade head && uvicorn main:app',
  });
});

const json = JSON.stringify;
const prismaOf = (scripts: object) => ({ ...prisma, 'package.json': json({ scripts }) });

test('nothing is said of migrations that the start, the build, a script that runs, or the source applies', async () => {
  const start = ['node', 'server.js'];
  const npm = ['/bin/sh', '-c', 'npm run up'];
  const applied = [
    await unapplied(django, { start: ['/bin/sh', '-c', 'python manage.py migrate && gunicorn desk.wsgi'] }),
    await unapplied({ ...prisma, 'up.sh': 'npx prisma db push\nnode server.js\n' }, { start: ['sh', './up.sh'] }),
    await unapplied(
      { ...prisma, 'run/up.sh': 'sh run/db.sh\n', 'run/db.sh': 'prisma migrate deploy' },
      { start: ['sh', 'up.sh'], folder: 'run' },
    ),
    await unapplied(prismaOf({ up: 'node a.js', preup: 'npm run db', db: 'prisma migrate deploy' }), { start: npm }),
    await unapplied(prismaOf({ postinstall: 'prisma db push' }), { start }),
    await unapplied(prismaOf({ build: 'prisma migrate deploy && tsc' }), { start, build: ['npm', 'run', 'build'] }),
    await unapplied({ ...prisma, 'up.js': "run('npx', ['prisma', 'migrate', 'deploy'])\n" }, { start: ['node', 'up.js'] }),
    await unapplied(prisma, { start, offered: ['npx prisma migrate deploy && node server.js'] }),
    await unapplied({ ...alembic, 'main.py': 'Base.metadata.create_all(engine)\n' }, { start }),
    await unapplied({ ...alembic, 'desk/db.py': 'run([sys.executable, "-m", "alembic", "upgrade", "head"])\n' }, { start }),
    await unapplied({ 'migrations/0001_notes.py': '' }, { start }),
  ];
  assert.deepEqual(
    applied,
    applied.map(() => undefined),
  );
});

test('a script or an image that nothing here runs does not apply migrations, and tests do not either', async () => {
  const start = ['node', 'server.js'];
  const unused = [
    await unapplied(prismaOf({ 'db:deploy': 'prisma migrate deploy', start: 'node server.js' }), { start, build: ['npm', 'run', 'build'] }),
    await unapplied({ ...prisma, 'entrypoint.sh': 'npx prisma db push\n', 'package.json': '{' }, { start }),
    await unapplied({ ...django, Dockerfile: 'CMD python manage.py migrate && gunicorn desk\n' }, { start }),
    await unapplied(
      { ...alembic, 'tests/conftest.py': 'create_all()', 'scripts/db.py': 'create_all()', 'db.py': '# alembic upgrade\n' },
      { start },
    ),
  ];
  assert.deepEqual(
    unused.map((each) => each?.folder),
    ['prisma/migrations', 'prisma/migrations', 'desk/migrations', 'alembic/versions'],
  );
});

test('a folder may have the settings of Alembic, which runs there while the start keeps its own folder', async () => {
  const below = { 'back end/alembic.ini': '', 'back end/alembic/versions/1_notes.py': '', 'tests/alembic.ini': '' };
  assert.deepEqual(await unapplied(below, { start: ['uvicorn', 'main:app'] }), {
    folder: 'back end/alembic/versions',
    start: "(cd 'back end' && alembic upgrade head) && uvicorn main:app",
  });
  assert.equal(
    (await unapplied(below, { start: ['uvicorn', 'main:app'], folder: 'web' }))?.start,
    "(cd 'back end' && alembic upgrade head) && cd web && uvicorn main:app",
  );
});
