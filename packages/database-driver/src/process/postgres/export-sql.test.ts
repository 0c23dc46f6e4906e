import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { pgDumpFor } from './export-sql.ts';

const root = mkdtempSync(join(tmpdir(), 'paddock-pg-dump-'));
after(() => rmSync(root, { recursive: true, force: true }));

const ADDRESS = { host: '127.0.0.1', port: 20_001, version: '18.4' };
const SYSTEM = '/usr/bin:/bin';

/** A program called pg_dump that prints its version and runs the script. */
function program(name: string, version: string, { script = '', mode = 0o755 } = {}): string {
  const folder = join(root, name);
  mkdirSync(folder);
  const body = `#!/bin/sh\nif [ "$1" = --version ]; then echo '${version}'; exit; fi\n${script}\n`;
  writeFileSync(join(folder, 'pg_dump'), body, { mode });
  return folder;
}

const path = (...folders: string[]) => [...folders, SYSTEM].join(delimiter);

test('the newest pg_dump that can read the server is found, wherever it stands on the path', async () => {
  const older = program('older', 'pg_dump (PostgreSQL) 15.9 (Debian 15.9-0+deb12u1)');
  const fits = program('fits', 'pg_dump (PostgreSQL) 18.1');
  const newer = program('newer', 'pg_dump (PostgreSQL) 19beta1');
  assert.equal((await pgDumpFor('18.4', path(older, fits)))?.version, '18.1');
  assert.equal((await pgDumpFor('18.4', path(older, fits, newer)))?.version, '19');
  const tenth = program('tenth', 'pg_dump (PostgreSQL) 18.10');
  assert.equal((await pgDumpFor('18.4', path(fits, tenth)))?.version, '18.10');
});

test('none is found where all are older, broken, foreign or not there', async () => {
  const older = program('old', 'pg_dump (PostgreSQL) 17.6');
  const foreign = program('foreign', 'some other program 99.1');
  const closed = program('closed', 'pg_dump (PostgreSQL) 18.1', { mode: 0o644 });
  assert.equal(await pgDumpFor('18.4', [older, foreign, closed, join(root, 'nowhere'), 'relative'].join(delimiter)), undefined);
  assert.equal(await pgDumpFor('18.4', ''), undefined);
});

test('an export is what pg_dump writes, and the password is in its environment alone', async () => {
  const folder = program('dumps', 'pg_dump (PostgreSQL) 18.1', { script: 'echo "args: $*"; echo "password: $PGPASSWORD"' });
  const found = await pgDumpFor('18.4', path(folder));
  assert.ok(found);
  const dump = await text(found.exportSql(ADDRESS, 'made-up', AbortSignal.timeout(10_000)));
  const target = '--host 127.0.0.1 --port 20001 --username agent --dbname app --no-password';
  assert.equal(dump, `args: ${target} --lock-wait-timeout 60000 --no-owner --no-privileges --encoding=UTF8\npassword: made-up\n`);
});

test('an export that breaks off fails with the words of pg_dump: half a dump never looks whole', async () => {
  const folder = program('breaks', 'pg_dump (PostgreSQL) 18.1', { script: 'echo half; echo "connection lost" >&2; exit 3' });
  const found = await pgDumpFor('18.4', path(folder));
  await assert.rejects(text(found!.exportSql(ADDRESS, 'made-up', AbortSignal.timeout(10_000))), /pg_dump ended with 3: connection lost/);
});

test('an export that is called off ends pg_dump', async () => {
  const folder = program('hangs', 'pg_dump (PostgreSQL) 18.1', { script: 'echo begins; exec sleep 60' });
  const found = await pgDumpFor('18.4', path(folder));
  const called = new AbortController();
  const stream = found!.exportSql(ADDRESS, 'made-up', called.signal);
  stream.once('data', () => called.abort());
  await assert.rejects(text(stream), { name: 'AbortError' });
});
