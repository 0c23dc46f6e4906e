import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Policy } from '@paddock/contract';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const policy = (more: Partial<Policy> = {}): Policy => ({
  id: 'pol_one',
  name: 'Production only',
  description: '',
  type: 'security',
  status: 'active',
  rules: ['Allowed environments: production'],
  understood: [{ rule: 'Allowed environments: production', is_enforced: true, effect: 'Refuses deployments outside production.' }],
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
  etag: '"one"',
  ...more,
});

async function fileOf(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-test-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'policies.yaml'), text);
  return join(folder, 'policies.yaml');
}

/** A server with these policies, and the writes that it got. */
async function serverWith(t: TestContext, policies: Policy[]) {
  const written: Record<string, unknown>[] = [];
  const write = (input: Record<string, unknown>) => {
    written.push(input);
    return policy();
  };
  const { url } = await scriptedApi(t, {
    'GET /governance/policies': () => ({ policies }),
    'POST /governance/policies': write,
    'PUT /governance/policies/pol_one': write,
  });
  return { url, written };
}

const yaml = `
policies:
  - name: Production only
    type: security
    status: active
    rules:
      - Allowed environments: production
  - name: Kind
    rules: [Be kind]
`;

test('policies are listed with what Paddock does about each rule', async (t) => {
  const { url } = await serverWith(t, [policy()]);
  const { code, out } = await run(url, ['policy', 'list']);
  assert.equal(code, 0);
  assert.match(
    out,
    /^Production only \(pol_one\): active, security\n {2}Enforced {2}Allowed environments: production\n +Refuses deployments outside production\.\n$/,
  );
  const none = await serverWith(t, []);
  assert.equal((await run(none.url, ['policy', 'list'])).out, 'No policies.\n');
});

test('a file creates the policies that are missing, and leaves those that are as it says', async (t) => {
  const { url, written } = await serverWith(t, [policy()]);
  const { code, notes } = await run(url, ['policy', 'apply', await fileOf(t, yaml)]);
  assert.deepEqual([code, notes], [0, 'Production only: as it is\nKind: created\n']);
  assert.deepEqual(written, [{ name: 'Kind', description: '', type: 'data_retention', status: 'draft', rules: ['Be kind'] }]);
});

test('a policy that differs is updated, and it is told in what', async (t) => {
  const { url, written } = await serverWith(t, [policy({ status: 'draft', rules: ['Be kind'] })]);
  const json = JSON.stringify([
    { name: 'Production only', type: 'security', status: 'active', rules: ['Allowed environments: production'] },
  ]);
  const { code, notes } = await run(url, ['policy', 'apply', await fileOf(t, json)]);
  assert.deepEqual([code, notes], [0, 'Production only: updated (status, rules)\n']);
  assert.equal(written[0]?.['status'], 'active');
});

test('--check changes nothing, and exits with 1 if something would change', async (t) => {
  const { url, written } = await serverWith(t, [policy()]);
  const { code, notes } = await run(url, ['policy', 'apply', await fileOf(t, yaml), '--check']);
  assert.deepEqual([code, notes], [1, 'Production only: as it is\nKind: would be created\n']);
  const same = await fileOf(t, yaml.slice(0, yaml.indexOf('  - name: Kind')));
  assert.equal((await run(url, ['policy', 'apply', same, '--check'])).code, 0);
  assert.deepEqual(written, []);
});

test('a file that cannot be read changes nothing, and it is told why', async (t) => {
  const { url, written } = await serverWith(t, [policy(), policy({ id: 'pol_two' })]);
  const tried = async (text: string) => run(url, ['policy', 'apply', await fileOf(t, text)]);
  assert.match((await tried('rules: [')).notes, /is neither YAML nor JSON/);
  assert.match((await tried('a: 1')).notes, /has no list of policies/);
  assert.match((await tried('[{ name: x, rules: [] }]')).notes, /policy 1: rules: Write at least one rule/);
  assert.match((await tried('[{ name: x, rules: [a], color: red }]')).notes, /policy 1: .*color/);
  assert.match((await tried('[{ name: x, rules: [a] }, { name: x, rules: [b] }]')).notes, /names the policy "x" twice/);
  const two = await tried('[{ name: new, rules: [a] }, { name: Production only, rules: [a] }]');
  assert.match(two.notes, /The team has 2 policies named "Production only"/);
  assert.equal(two.code, 1);
  const missing = await run(url, ['policy', 'apply', '/nowhere/policies.yaml']);
  assert.deepEqual([missing.code, /cannot be read/.test(missing.notes)], [2, true]);
  assert.deepEqual(written, []);
});
