import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const api = 'from fastapi import FastAPI\napp = FastAPI()\n';
const desk = {
  'requirements.txt': 'fastapi\nuvicorn\nalembic\n',
  'desk/main.py': api,
  'desk/seed.py': '',
  'alembic.ini': '',
  'alembic/versions/1_notes.py': '',
};
const image = (end: string) => `FROM python:3.11\nWORKDIR /app\nCOPY . .\n${end}\n`;
const server = 'uvicorn desk.main:app --host 0.0.0.0 --port $PORT';
const lineOf = async (files: Record<string, string>) => {
  const { start, warnings } = await planFiles(files);
  assert.ok(!warnings.some((each) => each.includes('migrations')), 'the start applies them');
  return start[1] === '-c' ? start[2] : start;
};

test('commands that an image runs before the detected server stay in front of it, and the port is that of the agent', async () => {
  const migrate = `alembic upgrade head && exec ${server}`;
  const cmd = 'CMD ["sh", "-c", "alembic upgrade head && uvicorn desk.main:app --host 0.0.0.0 --port 8000"]';
  const plan = await planFiles({ ...desk, Dockerfile: image(cmd) });
  assert.deepEqual([plan.start, plan.type, plan.framework], [['/bin/sh', '-c', migrate], 'web', 'FastAPI']);
  assert.equal(plan.reasons.find(({ what }) => what === 'start')?.because, 'desk/main.py, after the commands of Dockerfile:4 (CMD)');
  assert.ok(plan.choices?.some(({ start, because }) => start === server && because === 'desk/main.py alone'));
  const script = [
    '#!/bin/sh',
    'set -e',
    'while ! nc -z db 5432; do sleep 1; done',
    'echo ready 2>&1',
    'if [ "$SEED" = 1 ]; then python -m desk.seed; fi',
    'uv run --no-sync alembic upgrade head',
    'exec gosu agent "$@"',
  ].join('\n');
  const entry = image('ENTRYPOINT ["tini", "--", "/app/entry.sh"]\nCMD ["uvicorn", "desk.main:app"]');
  assert.equal(await lineOf({ ...desk, 'entry.sh': script, Dockerfile: entry }), migrate);
  const both = image('CMD python -m desk.seed; alembic upgrade head || true; (cd desk && python seed.py) && uvicorn desk.main:app');
  assert.deepEqual(
    (await planFiles({ ...desk, Dockerfile: both })).start[2],
    `python -m desk.seed; alembic upgrade head; (cd desk && python seed.py) && exec ${server}`,
  );
});

test('commands of the service that a compose file builds stay in front of the same server', async () => {
  const compose = (command: string) =>
    `services:\n  db:\n    image: postgres\n    command: alembic upgrade head\n  desk:\n    build: .\n    ${command}\n`;
  const migrate = `alembic upgrade head && exec ${server}`;
  const line = 'command: sh -c "alembic upgrade head && uvicorn desk.main:app --reload"';
  assert.equal(await lineOf({ ...desk, 'docker-compose.yml': compose(line) }), migrate);
  const below = 'entrypoint: [bash, -c, "cd /workspace/desk && alembic upgrade head && uvicorn main:app"]';
  const files = { 'requirements.txt': 'fastapi\nuvicorn\n', 'desk/main.py': api, 'desk/alembic.ini': '', 'desk/alembic/versions/1.py': '' };
  assert.equal(await lineOf({ ...files, 'compose.dev.yaml': compose(below) }), `(cd desk && alembic upgrade head) && exec ${server}`);
});

test('commands before a start in Node stay, with the development packages that they need', async () => {
  const scripts = { start: 'node server.js', seed: 'node seed.js' };
  const node = {
    'package.json': JSON.stringify({ scripts, dependencies: { express: '4' }, devDependencies: { prisma: '5' } }),
    'prisma/schema.prisma': '',
    'prisma/migrations/1_init/migration.sql': '',
    'server.js': '',
    'seed.js': '',
  };
  const cmd = 'CMD npm run build && npx prisma migrate deploy && npm run seed && npm start';
  const plan = await planFiles({ ...node, Dockerfile: image(cmd) });
  assert.equal(plan.start[2], 'npx prisma migrate deploy && npm run seed && exec node server.js');
  assert.deepEqual([plan.install?.dev, plan.framework, plan.type], [true, 'Express', 'web']);
});

test('migrations stay where the script of the server itself runs them', async () => {
  const django = {
    'requirements.txt': 'django\ngunicorn\n',
    'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'desk.settings')\n",
    'desk/wsgi.py': 'application = 1\n',
    'desk/settings.py': '',
  };
  const served = (await planFiles(django)).start.join(' ');
  const both = image('CMD python manage.py migrate --noinput && python manage.py runserver 0.0.0.0:8000');
  assert.equal(await lineOf({ ...django, Dockerfile: both }), `python manage.py migrate --noinput && exec ${served}`);
  const flask = { 'requirements.txt': 'flask\ngunicorn\n', 'app.py': 'from flask import Flask\napp = Flask(__name__)\n' };
  const own = image('CMD ["sh", "-ec", "python wait_for_db.py\\nflask --app app db upgrade\\ngunicorn app:app"]');
  const { start } = await planFiles({ ...flask, 'wait_for_db.py': '', Dockerfile: own });
  assert.equal(start[2], 'flask --app app db upgrade && exec gunicorn app:app --bind 0.0.0.0:$PORT --threads 8');
});

test('commands before another program, unknown commands and given starts change nothing', async () => {
  const cmd = (line: string) => ({ ...desk, Dockerfile: image(`CMD ${line}`) });
  const bare = server.split(' ');
  for (const line of [
    'alembic upgrade head && python other.py',
    'wait-for db:5432 && alembic revision && uvicorn desk.main:app',
    'python gone.py; python -m pytest; uvicorn desk.main:app',
    'DATABASE_URL=postgres://db alembic upgrade head && uvicorn desk.main:app',
    'python desk/seed.py & uvicorn desk.main:app',
    'cd /nowhere/at && alembic upgrade head && cd /app && uvicorn desk.main:app',
  ])
    assert.deepEqual((await planFiles(cmd(line))).start, bare, line);
  const other = { 'package.json': '{"scripts": {"start": "next start", "seed": "node seed.js"}, "dependencies": {"next": "15"}}' };
  const compose = 'services:\n  pages:\n    build: ./pages\n    command: sh -c "node ../seed.js && npm start"\n';
  const beside = { ...other, 'seed.js': '', 'pages/package.json': other['package.json'], 'compose.yaml': compose };
  assert.deepEqual((await planFiles(beside)).start, ['next', 'start'], 'a service of another folder');
  const given = await planFiles(cmd('alembic upgrade head && uvicorn desk.main:app'), { start: server });
  assert.deepEqual(given.start, ['/bin/sh', '-c', server]);
});
