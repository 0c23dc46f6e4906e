import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy, reaches, startPlatform, until } from '../../../../test/platform.ts';
import { withCredentialFiles } from './credential-file.ts';
import { startFailure } from './failure-messages.ts';

const credential = JSON.stringify({ type: 'service_account', project_id: 'tea', private_key: 'line\nwith \'"$HOME`x` \\n %s' });

test('a credential itself, as the value of a variable for a path, is a private file for the agent', async (t) => {
  const paddock = await startPlatform(t);
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'cloudy' });
  const key = '-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----\n';
  const set = [
    { key: 'GOOGLE_APPLICATION_CREDENTIALS', value: credential },
    { key: 'DESK_KEY_FILE', value: key },
    { key: 'DESK_NOTE', value: '{}' },
  ];
  await api.variables.set({ project_id: id, environment: 'production', variables: set });
  const made = await deploy(api, id, {
    'server.js': `const { readFileSync, statSync } = require('fs');
    const { GOOGLE_APPLICATION_CREDENTIALS, DESK_KEY_FILE, DESK_NOTE } = process.env;
    const shown = (path) => (statSync(path).mode & 0o777).toString(8) + ' ' + readFileSync(path, 'utf8').trimEnd();
    const all = [shown(GOOGLE_APPLICATION_CREDENTIALS), shown(DESK_KEY_FILE), DESK_NOTE].join('|');
    require('http').createServer((q, r) => r.end(all)).listen(process.env.PORT)`,
  });
  await reaches(api, made.id, ['active']);
  await until('it answers', async () => (await paddock.visit('cloudy.localhost')).status === 200);
  assert.equal((await paddock.visit('cloudy.localhost')).body, `600 ${credential}|600 ${key.trimEnd()}|{}`);
});

test('a credential that cannot be written ends the start, and the agent gets none', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'paddock-credential-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const [program = '', ...args] = withCredentialFiles(['echo', 'started'], { DESK_KEY_FILE: '{}' });
  const env = { PATH: process.env.PATH, DESK_KEY_FILE: '{}' };
  const run = (TMPDIR: string) => spawnSync(program, args, { env: { ...env, TMPDIR }, encoding: 'utf8', timeout: 10_000 });
  const { status, signal, stdout } = run(join(home, 'absent'));
  assert.deepEqual([status, signal, stdout], [1, null, '']);
  assert.equal(run(home).stdout, 'started\n');
});

test('a path stays a path, and other agents start as before', () => {
  assert.deepEqual(withCredentialFiles(['node', 'a.js'], {}), ['node', 'a.js']);
  assert.deepEqual(withCredentialFiles(['node', 'a.js'], { GOOGLE_APPLICATION_CREDENTIALS: '/app/key.json' }), ['node', 'a.js']);
});

test('an agent that misses a variable for a credential’s path is told that its value may be the credential', () => {
  const exit = { code: 1, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' };
  const tail = ['ValueError: Missing required environment variables: DESK_TOKEN, SHEET_CREDENTIALS_PATH'];
  const asked = ['DESK_TOKEN', 'SHEET_CREDENTIALS_PATH'].map((name) => ({ name, required: true, secret: false, at: 'main.py:1' }));
  const said = startFailure({ kind: 'exited', exit }, { limits: { memory_mb: 512, disk_mb: 1024 }, budgetSeconds: 120, tail, asked });
  assert.match(said, /The value of SHEET_CREDENTIALS_PATH may be the JSON of the credential itself; the agent gets it as a file\./);
});

for (const line of [
  'google.auth.exceptions.DefaultCredentialsError: Your default credentials were not found. To set up Application Default Credentials, see the guide.',
  'Error: Could not load the default credentials. Browse to the guide for more information.',
])
  test(`an agent that ends with “${line.slice(0, 40)}…” is told of the variable and that its value may be the JSON`, () => {
    const exit = { code: 1, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' };
    const limits = { memory_mb: 512, disk_mb: 1024 };
    assert.match(
      startFailure({ kind: 'exited', exit }, { limits, budgetSeconds: 120, tail: [line] }),
      /It seems to need the variable GOOGLE_APPLICATION_CREDENTIALS: set it under Variables and redeploy\. Its value may be the JSON of the credential itself/,
    );
  });
