import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '@paddock/audit';
import type { Artifact } from '@paddock/builder';
import { auditWorld } from '../../test/audit/world.ts';
import { channelStore } from '../features/alerts/channels/store.ts';
import { storageStore } from '../features/databases/usage/limits-store.ts';
import { transitions } from '../features/deployments/transitions.ts';

const plan = { language: 'node', type: 'web', root: '', install: null, build: null, start: ['node'], reasons: [], warnings: [] };
const artifact = { key: 'k', plan, layer_keys: [] } as unknown as Artifact;
const target = { host: '127.0.0.1', port: 9, instance_port: 8080 };

test('each transition of a deployment is recorded in its transaction: by the person who asked for it, else by Paddock', async (t) => {
  const w = await auditWorld(t);
  const worker = transitions(w.sql, { owner: 'one', node: 'here' });
  const { id } = await w.deploy();
  const d = (await worker.claim('all'))!;
  await worker.building(d);
  await worker.deploying(d, artifact);
  await worker.starting(d, { instance_id: `ins-${id}` });
  await worker.active(d, { agent_type: 'web', target, drainSeconds: 30 });
  await worker.crashed(id, { instance_id: `ins-${id}`, delaySeconds: 0, how: 'exit code 1' });
  await worker.active((await worker.claim('restarts'))!, { agent_type: 'web', target, drainSeconds: 30 });
  await w.api.deployments.stop({ id });

  const rows = await w.sql<
    { event: AuditEvent }[]
  >`select event from audit_intake where event->'metadata'->>'request_id' is null order by number`;
  const events = rows.map(({ event }) => event);
  const person = { type: 'person', id: w.user_id, name: 'Ada' };
  const platform = { type: 'platform', id: null, name: null };
  assert.deepEqual(
    events.map(({ action, status, actor, input_data }) => [action, status, actor, (input_data as { why: string }).why]),
    [
      ['deployment.queued', 'success', person, 'created'],
      ['deployment.building', 'success', platform, 'started_building'],
      ['deployment.deploying', 'success', platform, 'built'],
      ['deployment.active', 'success', platform, 'ready'],
      ['deployment.restart', 'warning', platform, 'crashed'],
      ['deployment.active', 'success', platform, 'ready'],
      ['deployment.stopped', 'success', person, 'stopped'],
    ],
  );
  for (const event of events) {
    assert.deepEqual([event.team_id, event.agent_id, event.agent_name], [w.team_id, w.project_id, 'watched']);
    assert.deepEqual(event.targets, [{ type: 'deployment', id, name: 'agent.zip' }]);
    assert.match(event.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
  const [of] = await w.sql<{ event: AuditEvent }[]>`select event from audit_intake where event->>'action' = 'deployment.create'`;
  assert.deepEqual(Object.keys(events[0]!).sort(), Object.keys(of!.event).sort(), 'all records have the same fields');
});

test('a transition that cannot be recorded does not happen, and one that failed is an error', async (t) => {
  const w = await auditWorld(t);
  const worker = transitions(w.sql, { owner: 'one', node: 'here' });
  const { id } = await w.deploy();
  const d = (await worker.claim('all'))!;
  await w.sql`alter table audit_intake add constraint broken check (event->>'action' <> 'deployment.building') not valid`;
  await assert.rejects(worker.building(d));
  const status = async () => (await w.sql<[{ status: string }]>`select status from deployments where id = ${id}`)[0].status;
  assert.equal(await status(), 'queued');
  await w.sql`alter table audit_intake drop constraint broken`;
  await worker.building(d);
  await worker.failed(d, { stage: 'building', message: 'It does not build.' });
  const [last] = await w.sql<{ event: AuditEvent }[]>`select event from audit_intake order by number desc limit 1`;
  assert.deepEqual([last?.event.action, last?.event.status], ['deployment.failed', 'error']);
});

test('what Paddock does of its own accord is recorded once it changes something: a channel switched off, a database that may not be written to', async (t) => {
  const w = await auditWorld(t);
  const [channel, database] = [await w.channel(), await w.database()];
  const off = () => channelStore(w.sql, w.seal).switchOff(w.team_id, { id: channel, reason: 'It answered 410.' }, async () => undefined);
  await off();
  await off();
  const storage = storageStore(w.sql, 'here');
  for (const is_read_only of [true, true, false]) await storage.note(database, { is_read_only, message: null });
  const rows = await w.sql<
    { event: AuditEvent }[]
  >`select event from audit_intake where event->'actor'->>'type' = 'platform' order by number`;
  assert.deepEqual(
    rows.map(({ event }) => [event.action, event.status, event.team_id, event.targets[0]?.id, event.targets[0]?.name, event.agent_id]),
    [
      ['channel.switch-off', 'warning', w.team_id, channel, 'CI', null],
      ['database.end-writing', 'warning', w.team_id, database, 'postgresql main', w.project_id],
      ['database.allow-writing', 'success', w.team_id, database, 'postgresql main', w.project_id],
    ],
  );
});
