import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const id = `dep_${'1'.repeat(16)}`;
const other = `dep_${'2'.repeat(16)}`;
const changes = {
  deployment_id: id,
  with_id: other,
  is_same_code: false,
  files: {
    added: 1,
    removed: 0,
    changed: 1500,
    unchanged: 3,
    list: [
      { path: 'main.py', change: 'changed', bytes: 2, bytes_before: 1 },
      { path: 'new\u001b[2J.py', change: 'added', bytes: 2, bytes_before: null },
    ],
  },
  packages: {
    list: [
      { ecosystem: 'PyPI', name: 'flask', version: '3.1.0', version_before: '3.0.0' },
      { ecosystem: 'PyPI', name: 'rich', version: null, version_before: '14.0.0' },
    ],
    total: 2,
    is_partial: false,
  },
  plan: [{ what: 'start', value: 'python main.py', value_before: null }],
  variables: null,
};

test('diff shows what a deployment changed against the one before, or against another', async (t) => {
  const asked: object[] = [];
  const { url } = await scriptedApi(t, {
    [`GET /deployments/${id}`]: () => ({ id, project_name: 'desk', environment: 'production', status: 'active' }),
    [`GET /deployments/${id}/changes`]: (input) => (asked.push(input), changes),
  });
  const { code, out, notes } = await run(url, ['diff', id]);
  assert.equal(code, 0, notes);
  assert.match(out, new RegExp(`^${id} compared with ${other}\\n`));
  assert.match(out, /Files \(1501\)\n {2}~ main\.py\n {2}\+ new\.py\n {2}… and 1499 more\n/);
  assert.match(out, /Packages \(2\)\n {2}~ flask 3\.0\.0 → 3\.1\.0\n {2}- rich 14\.0\.0\n/);
  assert.match(out, /Plan \(1\)\n {2}~ start: none → python main\.py\n/);
  assert.match(out, /Variables: unknown, /);
  assert.equal((await run(url, ['diff', id, '--with', other])).code, 0);
  assert.deepEqual(asked, [{}, { with: other }]);
  assert.deepEqual(JSON.parse((await run(url, ['diff', id], { json: true })).out), changes);
});
