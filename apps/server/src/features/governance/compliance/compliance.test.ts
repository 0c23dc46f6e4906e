import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameworkId } from '@paddock/contract';
import { codeOf } from '../../../../test/oauth-world.ts';
import { runJob } from '../../../../test/run-job.ts';
import { type Api, startApi } from '../../../../test/server.ts';
import { found, settable } from '../../../../test/settable-controls.ts';
import { createLog } from '../../../log.ts';

async function finished(api: Api, framework: FrameworkId = 'gdpr') {
  const { id } = await api.compliance.check({ framework });
  for (let tries = 0; tries < 1_000; tries++) {
    const run = await api.compliance.run({ id });
    if (run.finished_at) return run;
    await sleep(20);
  }
  throw new Error('the check did not come to its end within 20 s');
}

test('a check goes on after its answer, tells how far it is, and another click gets the one under way', async (t) => {
  const { says, controls, ran } = settable();
  const { person } = await startApi(t, { controls });
  const { api } = await person();
  const { api: other } = await person();
  const gate = Promise.withResolvers<void>();
  says['KEY-01'] = async () => (await gate.promise, []);
  const run = await api.compliance.check({ framework: 'gdpr' });
  assert.deepEqual([run.status, run.controls_total, run.controls_done, run.finished_at], ['queued', 2, 0, null]);
  assert.equal((await api.compliance.check({ framework: 'gdpr' })).id, run.id);
  let now = run;
  while (now.controls_done === 0) now = await api.compliance.run({ id: run.id });
  assert.deepEqual([now.status, now.controls_done], ['running', 1]);
  assert.equal((await api.compliance.detail({ framework: 'gdpr' })).run?.id, run.id);
  assert.equal(await codeOf(other.compliance.run({ id: run.id })), 'compliance_run_not_found');
  gate.resolve();
  while (!now.finished_at) now = await api.compliance.run({ id: run.id });
  assert.deepEqual([now.status, now.controls_done], ['completed', 2]);
  assert.equal((await api.compliance.detail({ framework: 'gdpr' })).run, null);
  assert.equal(ran.length, 2);
  assert.notEqual((await finished(api)).id, run.id);
});

test('what failed is told with what to do until it is repaired, and what the installation shows counts for every team', async (t) => {
  const { says, controls } = settable();
  const { person } = await startApi(t, { controls });
  const { api } = await person();
  const { api: other } = await person();
  says['KEY-02'] = async () => [found('one', 'passed'), found('two', 'failed')];
  await finished(api);
  const failing = await api.compliance.detail({ framework: 'gdpr' });
  assert.deepEqual(
    [failing.status, failing.checks_passed, failing.checks_failed, failing.violations],
    ['non_compliant', 1, 1, ['API-key age and idleness: Key two is failed.']],
  );
  assert.equal(failing.details[0]?.resource.fix?.text, 'Rotate it');
  assert.equal((await api.compliance.overview({})).frameworks[0]?.violations, 1);
  says['KEY-02'] = async () => [found('one', 'passed'), found('two', 'passed')];
  await finished(api);
  const { violations, checks_passed, status } = await api.compliance.detail({ framework: 'gdpr' });
  assert.deepEqual([violations, checks_passed, status], [[], 2, 'in_review'], 'nothing checks the others yet');
  const one = await api.compliance.control({ control: 'KEY-02' });
  assert.deepEqual(
    one.history.map(({ status, failed }) => [status, failed]),
    [
      ['passed', 0],
      ['failed', 1],
    ],
  );
  assert.deepEqual(one.resources[0]?.evidence, { seen: 'one' });
  assert.equal((await other.compliance.control({ control: 'KEY-02' })).checked_at, null);
  assert.equal((await other.compliance.control({ control: 'KEY-01' })).status, 'passed');
});

test('a control that breaks, takes too long or that nothing implements could not verify anything, and says so', async (t) => {
  const { says, controls } = settable();
  const lines: string[] = [];
  const { person } = await startApi(t, { controls, controlMs: 300, log: createLog('warn', { write: (line) => void lines.push(line) }) });
  const { api } = await person();
  // This check never settles and ignores its signal.
  says['KEY-01'] = () => new Promise(() => undefined);
  says['KEY-02'] = async () => Promise.reject(new Error('no such file: /srv/paddock/secret.key'));
  const run = await finished(api);
  assert.equal(run.status, 'completed');
  const broken = await api.compliance.control({ control: 'KEY-02' });
  assert.equal(broken.status, 'unverified');
  assert.equal(broken.resources[0]?.finding, `The check broke. The log of the server tells why, under ${run.id}.`);
  assert.ok(!JSON.stringify(broken).includes('/srv/paddock'), 'where the server keeps its files is no matter of teams');
  const told = lines.map((line) => JSON.parse(line) as { run?: string; control?: string; err?: { message: string } });
  const cause = told.find((line) => line.run === run.id);
  assert.deepEqual([cause?.control, cause?.err?.message], ['KEY-02', 'no such file: /srv/paddock/secret.key']);
  const slow = await api.compliance.control({ control: 'KEY-01' });
  assert.equal(slow.status, 'unverified');
  assert.equal(slow.resources[0]?.finding, 'The check took longer than 0.3 seconds and was ended.');
  const nobody = await api.compliance.control({ control: 'INC-01' });
  assert.deepEqual([nobody.status, nobody.looked_at, nobody.checked_at], ['unverified', 'Nothing checks this yet.', null]);
});

test('a waiver lets a framework pass until it ends, for one resource or for all', async (t) => {
  const { says, controls } = settable();
  const { person, sql } = await startApi(t, { controls });
  const { api } = await person();
  const { api: other } = await person();
  says['KEY-02'] = async () => [found('one', 'failed'), found('two', 'failed')];
  await finished(api);
  const accepted = { control: 'KEY-02', owner: 'Ada', reason: 'The agent ends in March' } as const;
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const waiver = await api.compliance.createWaiver({ ...accepted, resource_id: 'one', expires_at });
  assert.deepEqual(
    (await api.compliance.detail({ framework: 'gdpr' })).details.map(({ resource }) => resource.id),
    ['two'],
  );
  assert.equal(await codeOf(other.compliance.deleteWaiver({ id: waiver.id })), 'waiver_not_found');
  const all = await api.compliance.createWaiver({ ...accepted, expires_at });
  const control = await api.compliance.control({ control: 'KEY-02' });
  assert.deepEqual([control.status, control.is_waived, control.failed], ['passed', true, 0]);
  await api.compliance.deleteWaiver({ id: all.id });
  assert.equal((await api.compliance.control({ control: 'KEY-02' })).failed, 1);
  await sql`update compliance_waivers set expires_at = now()`;
  assert.equal((await api.compliance.control({ control: 'KEY-02' })).failed, 2);
  const tooLong = new Date(Date.now() + 400 * 86_400_000).toISOString();
  assert.equal(await codeOf(api.compliance.createWaiver({ ...accepted, expires_at: tooLong })), 'input_invalid');
});

test('of very many resources the failed ones are kept first, and all are counted, for each framework by its clauses', async (t) => {
  const { says, controls } = settable();
  const { person } = await startApi(t, { controls });
  const { api } = await person();
  const problems = [{ finding: 'The key never expires.', clauses: [{ framework: 'pci-dss', clause: '8.6.3' } as const] }];
  says['KEY-02'] = async () =>
    Array.from({ length: 900 }, (_, n) => ({ ...found(String(n), n < 300 ? 'passed' : 'failed'), ...(n < 800 ? { problems } : {}) }));
  await finished(api);
  const { resources, resources_total, failed } = await api.compliance.control({ control: 'KEY-02' });
  assert.deepEqual([resources.length, resources_total, failed], [500, 900, 600]);
  assert.ok(resources.every(({ status }) => status === 'failed'));
  assert.equal((await api.compliance.detail({ framework: 'pci-dss' })).violations_total, 600);
  assert.equal((await api.compliance.detail({ framework: 'gdpr' })).violations_total, 100);
  const { frameworks } = await api.compliance.overview();
  assert.deepEqual(
    frameworks.map(({ violations }) => violations),
    [100, 100, 100, 100, 100, 600],
  );
});

test('what is due is checked by each interval, for each team, and once for the installation', async (t) => {
  const { ran, controls } = settable();
  const { person, sql, features, beside } = await startApi(t, { controls });
  await person();
  await person();
  const { features: second } = await beside();
  const look = async () => {
    const jobs = [features, second].flatMap(({ compliance }) => compliance.jobs).filter(({ name }) => name === 'compliance.check');
    assert.equal(jobs.length, 2);
    await Promise.all(jobs.map(({ run }) => run(new AbortController().signal)));
    await sleep(500);
    return ran.splice(0).toSorted();
  };
  const first = await look();
  assert.equal(first.length, 3, first.join());
  assert.equal(first.filter((one) => one === 'KEY-01').length, 1);
  assert.deepEqual(await look(), []);
  await sql`update compliance_turns set next_at = now() where control = 'KEY-02'`;
  assert.equal((await look()).length, 2);
});

test('a check that a dead server has left is gone on with, and one that never ends is ended as failed', async (t) => {
  const { ran, controls } = settable();
  const { person, sql, features } = await startApi(t, { controls });
  const { api } = await person();
  await finished(api);
  const [{ id }] = await sql<[{ id: string }]>`
    update compliance_runs
    set status = 'running', owner = 'a server that is gone', controls_done = 1, finished_at = null, started_at = now(), beat_at = now() - interval '5 minutes'
    returning id`;
  ran.length = 0;
  await runJob(features, 'compliance.take-up');
  let run = await api.compliance.run({ id });
  while (!run.finished_at) run = await api.compliance.run({ id });
  assert.deepEqual([run.status, ran], ['completed', ['KEY-01']]);
  await sql`update compliance_runs set status = 'running', owner = 'stuck', finished_at = null, started_at = now() - interval '1 hour'`;
  await runJob(features, 'compliance.take-up');
  run = await api.compliance.run({ id });
  for (let tries = 0; !run.finished_at && tries < 100; tries++) {
    await sleep(20);
    run = await api.compliance.run({ id });
  }
  assert.equal(run.status, 'failed');
});
