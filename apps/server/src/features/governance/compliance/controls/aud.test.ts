import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { auditEvent, auditedPerson, auditSteps, tamper } from '../../../../../test/audit.ts';
import { checked } from '../../../../../test/compliance.ts';
import { atEnd } from '../../../../../test/postgres.ts';
import { runJob } from '../../../../../test/run-job.ts';
import { startApi } from '../../../../../test/server.ts';
import { auditCoverageControl } from './aud-01-coverage.ts';
import { auditChainControl } from './aud-02-chain.ts';

let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
});

test('AUD-01: requests that gateways counted and the trail lacks are found until their records come', async () => {
  const { api, team_id } = await auditedPerson(world);
  const { id: project_id } = await api.projects.create({ name: 'covered' });
  const { id: deployment_id } = await api.deployments.sample({ project_id, sample: 'chat' });
  await steps.sequence();
  assert.equal((await checked(api, 'AUD-01')).status, 'passed');
  // Counts as a gateway writes them.
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000).toISOString();
  await world.sql`
    insert into traffic_minutes (deployment_id, minute, gateway_id, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency)
    values (${deployment_id}, ${minute}, 'gw', 20, '{0,20,0,0,0}', 0, 0, 0, 0, '{}')`;
  const record = (count: number) =>
    steps.handIn(
      Array.from({ length: count }, () => ['request', 'response'] as const).flatMap((both) =>
        both.map((action_type) => auditEvent(team_id, { agent_id: project_id, action_type, timestamp: minute })),
      ),
    );
  await record(12);
  await steps.sequence();
  const lacking = await checked(api, 'AUD-01');
  assert.deepEqual([lacking.status, lacking.ids], ['failed', [project_id]]);
  assert.match(lacking.findings.join(), /lacks records of 8 requests of 20/);
  await record(8);
  await steps.sequence();
  const whole = await checked(api, 'AUD-01');
  assert.equal(whole.status, 'passed', whole.findings.join());
});

test('AUD-01: a call that changes something and names no action is found', async () => {
  const routes = { things: { create: { method: 'POST', path: '/things' }, list: { method: 'GET', path: '/things' } } } as const;
  const control = auditCoverageControl({ sql: world.sql, now: Date.now, routes });
  assert.equal(control.of, 'team');
  if (control.of !== 'team') return;
  const { resources } = await control.check('team_1', new AbortController().signal);
  assert.deepEqual(
    resources.map(({ id, status }) => [id, status]),
    [
      ['calls', 'failed'],
      ['intake', 'passed'],
    ],
  );
});

test('AUD-02: a changed record is found until it is as it was', async () => {
  const { api, team_id } = await auditedPerson(world);
  await api.projects.create({ name: 'chained' });
  await steps.sequence();
  await steps.sign();
  assert.equal((await checked(api, 'AUD-02')).status, 'passed');
  await steps.sequence();
  const of = `team_id = '${team_id}' and seq = 1`;
  await tamper(world.sql, `update audit_records set action = action || '!' where ${of}`);
  const changed = await checked(api, 'AUD-02');
  assert.equal(changed.status, 'failed');
  assert.match(changed.findings.join(), /Record 1 does not verify/);
  await tamper(world.sql, `update audit_records set action = rtrim(action, '!') where ${of}`);
  assert.equal((await checked(api, 'AUD-02')).status, 'passed');
});

test('AUD-02: a payload that was removed by hand is found', async () => {
  const { api, team_id } = await auditedPerson(world);
  await api.projects.create({ name: 'whole' });
  await steps.sequence();
  assert.equal((await checked(api, 'AUD-02')).status, 'passed');
  await steps.sequence();
  await tamper(world.sql, `delete from audit_payloads where team_id = '${team_id}' and seq = 1`);
  const missing = await checked(api, 'AUD-02');
  assert.equal(missing.status, 'failed');
  assert.match(missing.findings.join(), /Record 1 does not verify: its payload is missing, and no signed list of removals names it/);
});

test('AUD-02: a trail that takes longer than a check counts by its last whole verification, and without one is not verified', async () => {
  const verify = async () => ({ checked: 5, up_to_seq: 5, head_seq: 10, first_bad: null, next_seq: 6 });
  const statusOf = async (hours: number | undefined, valid = true) => {
    await world.sql`delete from audit_verifications where team_id = 'team_1'`;
    if (hours !== undefined)
      await world.sql`
        insert into audit_verifications (team_id, valid, checked, up_to_seq, verified_at)
        values ('team_1', ${valid}, 9, 9, now() - make_interval(hours => ${hours}))`;
    const control = auditChainControl({ sql: world.sql, trail: { verify } });
    return control.of === 'team' ? (await control.check('team_1', new AbortController().signal)).resources[0]?.status : undefined;
  };
  assert.deepEqual(
    [await statusOf(1), await statusOf(1, false), await statusOf(5), await statusOf(undefined)],
    ['passed', 'failed', 'unverified', 'unverified'],
  );
});

test('AUD-03: details that go too early and checkpoints that stay at home are found, and an installation that keeps both passes', async (t) => {
  const { api } = await auditedPerson(world);
  const usual = await checked(api, 'AUD-03');
  assert.equal(usual.status, 'failed');
  assert.match(usual.findings.join(' '), /removed after 90 days.*No copy of the checkpoints leaves/);
  let isDown = true;
  const taker = createServer((request, response) => void request.resume().on('end', () => response.writeHead(isDown ? 503 : 204).end()));
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  t.after(() => taker.close());
  const auditWebhookUrl = `http://127.0.0.1:${(taker.address() as AddressInfo).port}/`;
  const kept = await startApi(t, { audit: { retentionDays: 2_200, webhookUrl: auditWebhookUrl } });
  const keptSteps = await auditSteps(kept);
  const { api: there, team_id } = await auditedPerson(kept);
  await there.projects.create({ name: 'sent-away' });
  await keptSteps.sequence();
  await keptSteps.sign();
  await kept.sql`update audit_checkpoints set created_at = now() - interval '3 days'`;
  const post = () => runJob(kept.features, 'audit.post-checkpoints');
  await assert.rejects(post(), /503/);
  const waiting = await checked(there, 'AUD-03');
  assert.deepEqual([waiting.status, waiting.ids], ['failed', [`${team_id}:copies`]]);
  isDown = false;
  await post();
  const sent = await checked(there, 'AUD-03');
  assert.equal(sent.status, 'passed', sent.findings.join());
});
