import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type HostRule, hostRulesDigest, stepRunner } from '@paddock/runtime';
import { runControl } from '../../../../../test/controls.ts';
import { deploymentIn } from '../../../../../test/rows.ts';
import { startApi } from '../../../../../test/server.ts';
import { createLog } from '../../../../log.ts';
import { egressControl } from './net-03-egress.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'paddock-probe-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const sandbox = stepRunner({ dataDir, installation: 'test', log: createLog('error', process.stderr) });

const only: HostRule = { effect: 'only', hosts: ['good.test'] };
const never: HostRule = { effect: 'never', hosts: ['bad.test'] };

test('a project passes while its nodes tell that every agent is held to the allowed hosts, and fails when one does not tell so', async (t) => {
  const { sql, team_id, project_id, deployment_id } = await deploymentIn(await startApi(t));
  const look = async (rules: HostRule[]) => {
    const control = egressControl({ sql, sandbox: undefined, egressAllow: [], hostRules: async () => rules, now: Date.now });
    assert.equal(control.of, 'team');
    if (control.of !== 'team') return undefined;
    return (await control.check(team_id, AbortSignal.timeout(30_000))).resources.find(({ id }) => id === project_id);
  };
  /** Reports the state as the agent's node does. */
  const report = (rules: HostRule[], { problem = null as string | null, seconds = 0 } = {}) => sql`
    insert into host_holds (deployment_id, team_id, rules, problem, seen_at)
    values (${deployment_id}, ${team_id}, ${hostRulesDigest(rules)}, ${problem}, now() - make_interval(secs => ${seconds}))
    on conflict (deployment_id) do update
    set rules = excluded.rules, problem = excluded.problem, seen_at = excluded.seen_at`;

  assert.match((await look([never]))?.finding ?? '', /may call every host of the internet/);
  assert.match((await look([only]))?.finding ?? '', /1 agent of rows cannot be shown to be held to it: its node did not tell/);
  await report([only]);
  const passed = await look([only]);
  assert.equal(passed?.status, 'passed');
  assert.match(JSON.stringify(passed?.evidence), /good\.test/);
  assert.equal((await look([only, never]))?.status, 'failed', 'the node tells of other rules');
  await report([only], { seconds: 400 });
  assert.equal((await look([only]))?.status, 'failed', 'that was long ago');
  await report([only], { problem: 'it runs without a sandbox.' });
  const failed = await look([only]);
  assert.equal(failed?.status, 'failed');
  assert.match(failed?.finding ?? '', /it runs without a sandbox\./);
  assert.equal(failed?.fix?.path, `/deployments/${deployment_id}`);
});

test('a live project, whose agents may call every host, fails until it is accepted, and so does a sandbox that lets packets to the metadata address out', async (t) => {
  const api = await startApi(t);
  const { sql, team_id, project_id } = await deploymentIn(api);
  const look = async (more: Partial<Parameters<typeof egressControl>[0]>) =>
    (await runControl(egressControl({ sql, sandbox, egressAllow: [], hostRules: async () => [], now: Date.now, ...more }), team_id))
      .resources;
  const [project, metadata] = await look({});
  assert.deepEqual([project?.status, project?.id], ['failed', project_id]);
  assert.match(project?.finding ?? '', /The agents of rows may call every host of the internet/);
  assert.equal(project?.fix?.path, '/governance?tab=policies');
  assert.equal(metadata?.status, 'passed');
  const [, opened] = await look({ egressAllow: ['169.254.0.0/16'] });
  assert.equal(opened?.status, 'failed');
  assert.match(opened?.finding ?? '', /Agents can send packets to 169\.254\.169\.254 and 169\.254\.1\.1/);
  assert.equal((await look({ sandbox: undefined }))[1]?.status, 'unverified');
});
