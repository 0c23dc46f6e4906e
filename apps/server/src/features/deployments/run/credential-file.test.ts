import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy, reaches, startPlatform, until } from '../../../../test/platform.ts';
import { withCredentialFile } from './credential-file.ts';
import { startFailure } from './failure-messages.ts';

const credential = JSON.stringify({ type: 'service_account', project_id: 'tea', private_key: 'line\nwith \'"$HOME`x` \\n %s' });

test('the JSON of a Google credential is a private file for the agent that gets it as a variable', async (t) => {
  const paddock = await startPlatform(t);
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'cloudy' });
  const set = { key: 'GOOGLE_APPLICATION_CREDENTIALS', value: credential };
  await api.variables.set({ project_id: id, environment: 'production', variables: [set] });
  const made = await deploy(api, id, {
    'server.js': `const { readFileSync, statSync } = require('fs');
    const path = process.env.GOOGLE_APPLICATION_CREDENTIALS;
    require('http').createServer((q, r) => r.end((statSync(path).mode & 0o777).toString(8) + ' ' + readFileSync(path, 'utf8'))).listen(process.env.PORT)`,
  });
  await reaches(api, made.id, ['active']);
  await until('it answers', async () => (await paddock.visit('cloudy.localhost')).status === 200);
  assert.equal((await paddock.visit('cloudy.localhost')).body, `600 ${credential}`);
});

test('a path stays a path, and other agents start as before', () => {
  assert.deepEqual(withCredentialFile(['node', 'a.js'], {}), ['node', 'a.js']);
  assert.deepEqual(withCredentialFile(['node', 'a.js'], { GOOGLE_APPLICATION_CREDENTIALS: '/app/key.json' }), ['node', 'a.js']);
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
