import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const id = `dep_${'1'.repeat(16)}`;
const asked_variables = [
  { name: 'A_KEY', required: true, secret: true, at: 'main.py:3' },
  { name: 'B_URL', required: true, secret: false, at: '.env.example:1' },
  { name: 'MODEL', required: false, secret: false, at: 'main.py:9', example: 'small-1' },
];
const deployment = {
  id,
  project_id: `prj_${'1'.repeat(16)}`,
  project_name: 'desk',
  environment: 'production',
  status: 'failed',
  error_message: 'Start failed.',
  databases: [],
  plan: { language: 'python', asked_variables },
};

test('status tells which variables the archive asks for, where, and which are set', async (t) => {
  const { url } = await scriptedApi(t, {
    [`GET /deployments/${id}`]: () => deployment,
    [`GET /projects/${deployment.project_id}/variables`]: () => ({ variables: [{ key: 'A_KEY', environment: 'production' }] }),
  });
  const { code, out, notes } = await run(url, ['status', id]);
  assert.equal(code, 0, notes);
  assert.match(out, /^Needs {7}A_KEY \(main\.py:3, set\), B_URL \(\.env\.example:1, not set\)$/m);
  assert.match(out, /^Optional {4}MODEL \(main\.py:9, not set\)$/m);
});

test('status tells how else the archive could be started, as options of deploy that a shell takes', async (t) => {
  const failure_choices = [
    { root: 'api', because: 'Python, FastAPI' },
    { root: 'a', start: "python 'b c.py'", because: 'README.md' },
  ];
  const { url } = await scriptedApi(t, { [`GET /deployments/${id}`]: () => ({ ...deployment, plan: null, failure_choices }) });
  const { code, out, notes } = await run(url, ['status', id]);
  assert.equal(code, 0, notes);
  assert.match(out, /^Or start {4}--root 'api' {3}Python, FastAPI$/m);
  assert.ok(out.includes(`\n${' '.repeat(12)}--root 'a' --start 'python '\\''b c.py'\\'''   README.md`), out);
});

test('status tells the message and the commit of a deployment, with control characters made harmless', async (t) => {
  const origin = { message: 'Route refunds\u001b[2J', commit_sha: 'ab'.repeat(20), commit_branch: 'main', commit_dirty: true };
  const { url } = await scriptedApi(t, { [`GET /deployments/${id}`]: () => ({ ...deployment, plan: null, ...origin }) });
  const { code, out, notes } = await run(url, ['status', id]);
  assert.equal(code, 0, notes);
  assert.match(out, /^Message {5}Route refunds/m);
  assert.match(out, /^Commit {6}abababa, main, with uncommitted changes$/m);
  assert.equal(out.includes('\u001b'), false);
});
