import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Artifact } from '@paddock/builder';
import type { Alert } from '@paddock/contract';
import { alertsOf } from '../../../test/alerts.ts';
import { zip } from '../../../test/archives.ts';
import { startApi } from '../../../test/server.ts';
import { resolveAgentAlerts } from './agent-alerts.ts';
import { type Claimed, LeaseLost } from './leases.ts';
import { transitions } from './transitions.ts';

const plan = { language: 'node', type: 'web', root: '', install: null, build: null, start: ['node'], reasons: [], warnings: [] };
const artifact = { key: 'k', plan, layer_keys: [] } as unknown as Artifact;
const target = { host: '127.0.0.1', port: 9, instance_port: 8080 };
const failure = 'Build failed while installing dependencies: no such package.\n\nLast lines:\nkey sk-123';

/** A worker for one team's deployments, and the mails to the team. */
async function world(t: TestContext) {
  const { sql, seal, person, mailsTo } = await startApi(t);
  const ada = await person();
  const { id: project_id } = await ada.api.projects.create({ name: 'told' });
  const alerts = alertsOf({ sql, seal });
  const one = transitions(sql, {
    owner: 'one',
    node: 'here',
    machine: 'machine',
    alerts: { raise: alerts.raiseWithin, clearOlder: alerts.clearOlder },
  });
  const claimed = async (environment: 'production' | 'preview' = 'production') => {
    const made = await ada.api.deployments.create({ project_id, environment, file: zip({ 'server.js': '1' }), file_name: 'a.zip' });
    const d = (await one.claim('all'))!;
    assert.equal(d.id, made.id);
    await one.building(d);
    return d;
  };
  const active = async (environment?: 'production' | 'preview') => {
    const d = await claimed(environment);
    await one.deploying(d, artifact);
    await one.starting(d, { instance_id: `ins-${d.id}` });
    await one.active(d, { agent_type: 'web', target, drainSeconds: 30 });
    return d;
  };
  const crash = async (d: Claimed) => {
    await one.crashed(d.id, { instance_id: `ins-${d.id}`, delaySeconds: 1, how: 'exited with code 7' });
    await sql`update deployments set restart_at = null where id = ${d.id}`; // as if it had restarted
  };
  const told = async (api = ada.api) =>
    (await api.alerts.list({ resolved: 'false' })).alerts.map((alert: Alert) => [alert.severity, alert.deployment_id, alert.message]);
  const mails = async () => (await mailsTo(ada.email)).filter(({ template }) => template === 'alert');
  return { sql, person, ada, project_id, alerts, one, claimed, active, crash, told, mails };
}

test('a failed production deployment raises one alert and one mail, whose newest message leads to the newest deployment, until a later one is active', async (t) => {
  const { person, ada, one, claimed, active, told, mails } = await world(t);
  const first = await claimed();
  await one.failed(first, { stage: 'building', message: failure });
  const [alert] = await told();
  assert.deepEqual(alert?.slice(0, 2), ['critical', first.id]);
  assert.match(String(alert?.[2]), /no such package\. Nothing serves this environment now\.$/, "without the agent's last lines");
  const [mail, ...more] = await mails();
  assert.deepEqual(
    [mail?.data, more.length],
    [{ name: 'Ada', title: 'A deployment of told failed', detail: alert?.[2], deployment_id: first.id }, 0],
  );

  const second = await claimed();
  await one.failed(second, { stage: 'deploying', message: 'Start failed: it ended.' });
  assert.deepEqual(
    (await told()).map((row) => row[1]),
    [second.id],
    'one alert, of the newest',
  );
  assert.equal((await mails()).length, 1);
  const stranger = await person();
  assert.deepEqual(await told(stranger.api), [], 'another team hears nothing');

  await active('preview');
  assert.equal((await told()).length, 1, 'a preview mends nothing');
  const mended = await active();
  assert.deepEqual(await told(), []);
  const third = await claimed();
  await one.failed(third, { stage: 'building', message: failure });
  const [next] = await told();
  assert.deepEqual(next?.slice(0, 2), ['warning', third.id], 'the one before serves on');
  assert.equal((await mails()).length, 2);
  await ada.api.deployments.stop({ id: mended.id });
  assert.equal((await told()).length, 1);
});

test('an older deployment that starts again does not end the alert of a newer one that failed', async (t) => {
  const { one, claimed, active, told } = await world(t);
  const serving = await active();
  await one.failed(await claimed(), { stage: 'building', message: failure });
  await one.active(serving, { agent_type: 'web', target, drainSeconds: 30 });
  assert.equal((await told()).length, 1);
});

test('what fails in a preview rings the bell and sends no mail', async (t) => {
  const { one, claimed, active, crash, told, mails } = await world(t);
  await one.failed(await claimed('preview'), { stage: 'building', message: failure });
  const looping = await active('preview');
  for (let crashes = 0; crashes < 3; crashes++) await crash(looping);
  assert.deepEqual(
    (await told()).map((row) => row[0]),
    ['info'],
  );
  assert.deepEqual(await mails(), []);
});

test('an agent that keeps crashing is told of at its third crash, once, and again when it is given up after somebody resolved that', async (t) => {
  const { sql, ada, alerts, one, active, crash, told, mails } = await world(t);
  const d = await active();
  await crash(d);
  await crash(d);
  assert.deepEqual(await told(), []);
  await crash(d);
  const [alert] = await told();
  assert.deepEqual(alert?.slice(0, 2), ['warning', d.id]);
  assert.match(String(alert?.[2]), /exited with code 7: crash 3 within 10 minutes/);
  await crash(d);
  assert.equal((await mails()).length, 1, 'one mail, however often it crashes');
  const [open] = (await ada.api.alerts.list({ resolved: 'false' })).alerts;
  await ada.api.alerts.resolve({ id: open!.id });
  await crash(d);
  assert.deepEqual(await told(), [], 'whoever resolved it knows');
  await resolveAgentAlerts(sql, alerts)();
  await crash(d);
  assert.deepEqual(await told(), [], 'and it is not calm yet');
  await one.failed((await one.seize(d.id))!, { stage: 'active', message: 'The agent crashed 5 times in 10 minutes.' });
  assert.deepEqual(
    (await told()).map((row) => row.slice(0, 2)),
    [['critical', d.id]],
    'that is another matter',
  );
  assert.equal((await mails()).length, 2);
  await active();
  assert.deepEqual(await told(), []);
});

test('the alert of an agent that crashed again and again ends once it has stayed up for ten minutes', async (t) => {
  const { sql, alerts, active, crash, told } = await world(t);
  const d = await active();
  for (let crashes = 0; crashes < 3; crashes++) await crash(d);
  const calm = resolveAgentAlerts(sql, alerts);
  await calm();
  assert.equal((await told()).length, 1);
  await sql`
    update deployments
    set restart_times = array(select t - interval '11 minutes' from unnest(restart_times) t)`;
  await calm();
  assert.deepEqual(await told(), []);
});

test('the alert is there with the failure, or neither is', async (t) => {
  const { sql, one, claimed, told, mails } = await world(t);
  const d = await claimed();
  await assert.rejects(one.failed({ ...d, fence: d.fence - 1 }, { stage: 'building', message: failure }), LeaseLost);
  assert.deepEqual(await told(), []);
  await sql`create function no_alerts() returns trigger language plpgsql as 'begin raise exception ''no''; end'`;
  await sql`create trigger no_alerts before insert on alerts for each row execute function no_alerts()`;
  await assert.rejects(one.failed(d, { stage: 'building', message: failure }), /no/);
  const [row] = await sql<[{ status: string }]>`select status from deployments where id = ${d.id}`;
  assert.deepEqual([row.status, (await mails()).length], ['building', 0]);
  await sql`drop trigger no_alerts on alerts`;
  await one.failed(d, { stage: 'building', message: failure });
  assert.equal((await told()).length, 1);
});

test('a cause that comes and goes all day sends six mails and no more, and rings the bell each time', async (t) => {
  const { one, claimed, active, told, mails } = await world(t);
  for (let round = 0; round < 8; round++) {
    await one.failed(await claimed(), { stage: 'building', message: failure });
    assert.equal((await told()).length, 1);
    await active();
    assert.deepEqual(await told(), []);
  }
  assert.equal((await mails()).length, 6);
});

test('the alerts of a project go when it is deleted, at once for people and for good with it', async (t) => {
  const { sql, ada, project_id, one, claimed, told } = await world(t);
  const [failed, late] = [await claimed(), await claimed()];
  await one.failed(failed, { stage: 'building', message: failure });
  const [alert] = (await ada.api.alerts.list({})).alerts;
  await ada.api.projects.delete({ id: project_id });
  assert.deepEqual(await told(), []);
  assert.equal((await ada.api.alerts.list({})).open, 0);
  await assert.rejects(ada.api.alerts.resolve({ id: alert!.id }), { code: 'alert_not_found' });
  await one.failed(late, { stage: 'building', message: failure });
  assert.deepEqual(await told(), [], 'and none comes after');
  await sql`delete from projects where id = ${project_id}`;
  assert.deepEqual([...(await sql`select * from alerts`)], []);
});

test('the deployment that comes back after a failed start is started anew where its process is gone, and nothing comes back beside what serves', async (t) => {
  const { sql, one, claimed, active } = await world(t);
  const before = await active();
  const bad = await active();
  const found = await one.predecessorOf(bad.id);
  assert.deepEqual([found?.id, found?.drains_here], [before.id, true]);
  await sql`update deployments set drain_until = now() - interval '1 second' where id = ${before.id}`;
  assert.equal((await one.predecessorOf(bad.id))?.drains_here, false);
  const held = (await one.seize(bad.id))!;
  const isBack = await one.failed(held, {
    stage: 'deploying',
    message: 'Start failed.',
    predecessor: { id: before.id, goesOn: true, target },
  });
  const [row] = await sql`
    select status, is_current, restart_at <= now() as is_due, instance_id
    from deployments
    where id = ${before.id}`;
  assert.deepEqual([isBack, { ...row }], [true, { status: 'active', is_current: true, is_due: true, instance_id: null }]);
  const [route] = await sql`select state, target_port, deployment_id from routes where label = 'told'`;
  assert.deepEqual({ ...route }, { state: 'starting', target_port: null, deployment_id: before.id });
  assert.equal((await one.claim('restarts'))?.id, before.id);

  const [older, newer] = [await active(), await claimed()];
  await one.deploying(newer, artifact);
  await one.active(newer, { agent_type: 'web', target, drainSeconds: 30 });
  await sql`update deployments set replaced_by = 'dep_x' where id = ${older.id}`;
  const stray = await claimed();
  assert.equal(
    await one.failed(stray, { stage: 'deploying', message: 'Start failed.', predecessor: { id: older.id, goesOn: true, target } }),
    false,
  );
});
