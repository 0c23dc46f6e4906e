import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { AuditEvent } from '@paddock/audit';
import { auditEvent, auditedPerson, auditSteps, removePayloads, tamper } from '../../../../test/audit.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';
import { createBlanking } from '../../../protection/agent-secrets/blanking.ts';
import { payloadRetentionJob } from './retention-store.ts';
import { createSequencer } from './sequencer/sequence.ts';
import { sequenceStore } from './sequencer/sequence-store.ts';

const nothingBlanked = async () => createBlanking([]);

let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
});

/** A person with a trail of these events, after those of signing up. */
async function owner(events: Partial<AuditEvent>[] = []) {
  const { api, team_id } = await auditedPerson(world);
  const add = async (more: Partial<AuditEvent>[]) => {
    await steps.handIn(more.map((event) => auditEvent(team_id, event)));
    await steps.sequence();
  };
  if (events.length > 0) await add(events);
  return { api, team_id, add };
}
const many = (count: number, more: (index: number) => Partial<AuditEvent> = () => ({})) =>
  Array.from({ length: count }, (_, index) => more(index));

test('records come newest first, numbered without a gap, in pages that miss none', async () => {
  const { api, add } = await owner(
    many(70, (index) => ({ action: `GET /${index}`, timestamp: new Date(Date.now() - 100_000 + index).toISOString() })),
  );
  await add(many(35, (index) => ({ action: `GET /${70 + index}` })));
  const actions: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.governance.auditLogs({ limit: 40, ...(cursor ? { cursor } : {}) });
    actions.push(...page.logs.map(({ action }) => action));
    assert.equal(page.match_count, cursor ? null : 105);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  assert.deepEqual(
    actions,
    Array.from({ length: 105 }, (_, index) => `GET /${104 - index}`),
  );
  const { logs } = await api.governance.auditLogs({ limit: 500 });
  assert.deepEqual(logs.map(({ seq }) => seq).toSorted((a, b) => a - b)[0], 1);
  assert.equal(new Set(logs.map(({ seq }) => seq)).size, 105);
});

test('a record has all that was handed in, and is found by its id by its own team alone', async () => {
  const { api } = await owner([
    { output_data: { text: 'ü\u0000\ud83d' }, user_id: 'usr_1', actor: { type: 'person', id: 'usr_1', name: 'Ada' } },
  ]);
  const [log] = (await api.governance.auditLogs({})).logs;
  assert.deepEqual(log!.input_data, { method: 'POST', body: { question: 'why' } });
  assert.deepEqual(log!.output_data, { text: 'ü\u0000\ufffd' });
  assert.equal(log!.user_id, 'usr_1');
  assert.deepEqual(log!.metadata.ip_address, '203.0.113.9');
  assert.deepEqual(await api.governance.auditLog({ id: log!.id }), log);
  const { api: other } = await world.person();
  await assert.rejects(other.governance.auditLog({ id: log!.id }), { code: 'audit_log_not_found' });
  assert.equal((await other.governance.auditLogs({ search: log!.metadata.request_id! })).logs.length, 0);
});

test('each filter leaves what it names', async () => {
  const trace_id = 'a'.repeat(32);
  const { api } = await owner([
    { agent_id: 'prj_a', action: 'POST /Ask', trace_id },
    { agent_id: 'prj_b', action_type: 'response', status: 'error', action: 'POST /ask' },
    {
      agent_id: null,
      agent_name: null,
      action_type: 'configuration',
      action: 'api-key.create',
      actor: { type: 'person', id: 'usr_9', name: null },
    },
    { timestamp: '2020-01-01T00:00:00.000Z', action: 'GET /old' },
  ]);
  const found = async (filter: Parameters<typeof api.governance.auditLogs>[0]) =>
    (await api.governance.auditLogs(filter)).logs.map(({ seq }) => seq);
  assert.deepEqual(await found({ agent: 'prj_a' }), [1]);
  assert.deepEqual(await found({ action_type: 'response' }), [2]);
  assert.deepEqual(await found({ action_type: 'configuration' }), [3]);
  assert.deepEqual(await found({ status: 'error' }), [2]);
  assert.deepEqual(await found({ user: 'usr_9' }), [3]);
  assert.deepEqual(await found({ trace_id }), [1]);
  assert.deepEqual(await found({ search: 'ask' }), [2, 1]);
  assert.deepEqual(await found({ date_to: '2021-01-01T00:00:00.000Z' }), [4]);
  assert.deepEqual(await found({ date_from: '2021-01-01T00:00:00.000Z' }), [3, 2, 1]);
  const [log] = (await api.governance.auditLogs({ agent: 'prj_a' })).logs;
  assert.deepEqual(await found({ search: log!.metadata.request_id! }), [1]);
});

test('words are looked for in a bounded number of records at a time, and the search can go on', async () => {
  const { api, team_id } = await owner([{ action: 'GET /needle', timestamp: '2021-01-01T00:00:00.000Z' }]);
  await tamper(
    world.sql,
    `insert into audit_records (team_id, seq, id, timestamp, recorded_at, action_type, action, status, actor_type, payload_hash, hash)
     select '${team_id}', n + 1, 'aud_' || n, now() - n * interval '1 second', now(), 'request', 'GET /hay', 'success', 'visitor', '', '' from generate_series(1, 60000) n`,
  );
  const first = await api.governance.auditLogs({ search: 'needle' });
  assert.deepEqual([first.logs.length, first.match_count], [0, null]);
  assert.ok(first.next_cursor);
  const second = await api.governance.auditLogs({ search: 'needle', cursor: first.next_cursor });
  assert.deepEqual(
    second.logs.map(({ action }) => action),
    ['GET /needle'],
  );
  assert.equal(second.next_cursor, null);
});

test('the database changes no record, removes none and empties nothing', async () => {
  const { team_id } = await owner(many(3));
  const refused = { code: /^(?:42501|P0001)$/ };
  for (const table of ['audit_records', 'audit_payloads']) {
    await assert.rejects(world.sql`update ${world.sql(table)} set seq = 9 where team_id = ${team_id}`, refused);
    await assert.rejects(world.sql`delete from ${world.sql(table)} where team_id = ${team_id}`, refused);
    await assert.rejects(world.sql`truncate ${world.sql(table)}`, refused);
  }
});

test('retention removes payloads, tells how many, and the chain still verifies', async () => {
  const { api, team_id } = await owner(many(5));
  await steps.sign();
  const day = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10);
  // Simulates old records: their payloads lie in that day's partition.
  await world.sql`select audit_partitions(${day}::date)`;
  await tamper(
    world.sql,
    `insert into audit_payloads (team_id, seq, recorded_at, salt, body)
     select '${team_id}_old', n, '${day}T12:00:00Z', '', '{}' from generate_series(1, 7) n`,
  );
  await payloadRetentionJob(world.sql, () => Promise.resolve(steps.key), 90)(new AbortController().signal);
  const { retention: run } = await api.governance.summary({});
  assert.equal(run.last_deleted, 7);
  assert.ok(run.last_run_at);
  await removePayloads(world, steps.key, { team_id, up_to: 4 });
  const { logs } = await api.governance.auditLogs({});
  assert.deepEqual(
    logs.map(({ is_erased }) => is_erased),
    [false, true, true, true, true],
  );
  const verified = await api.governance.verifyAuditLogs({});
  assert.deepEqual([verified.valid, verified.up_to_seq >= 5], [true, true]);
});

test('two servers that sequence at once make one chain', async () => {
  const { api, team_id } = await owner();
  const other = await auditSteps(world);
  for (let i = 0; i < 20; i++) await steps.handIn(many(25).map(() => auditEvent(team_id)));
  await Promise.all([steps.sequence(), other.sequence(), steps.sequence()]);
  await steps.sequence();
  assert.equal((await api.governance.summary({})).total_actions, 500);
  assert.equal((await api.governance.verifyAuditLogs({})).valid, true);
});

test('a record that makes no sense is recorded as far as it goes, and holds up no other', async () => {
  const { api, team_id } = await owner();
  const deep = JSON.stringify(auditEvent(team_id, { input_data: 'deep', duration_ms: 0.1 + 0.2 })).replace(
    '"deep"',
    '['.repeat(20_000) + ']'.repeat(20_000),
  );
  await world.sql`insert into audit_intake (event) values (${world.sql.json({ team_id, action: 7, timestamp: 'never', targets: 'none', duration_ms: -1 })})`;
  await steps.handInText(deep);
  const told: string[] = [];
  const turn = createSequencer({ store: sequenceStore(world.sql), readBlanking: nothingBlanked, warn: (what) => told.push(what) });
  while ((await turn()) !== 0) continue;
  assert.match(told.join('\n'), /recorded without them: id \(1\), timestamp \(1\), action_type \(1\), action \(1\)/);
  assert.match(told.join('\n'), /recorded without them: input_data \(1\)/);
  const { logs } = await api.governance.auditLogs({});
  assert.deepEqual(
    new Set(logs.map(({ action, duration_ms, input_data }) => [action, duration_ms, input_data].join(' '))),
    new Set(['POST /ask 0.3 ', 'unknown  ']),
  );
  assert.equal((await api.governance.verifyAuditLogs({})).valid, true);
});

test('a batch that cannot be read is put aside, and those after it are recorded', async () => {
  const { api, team_id } = await owner();
  const told: string[] = [];
  const turn = createSequencer({ store: sequenceStore(world.sql), readBlanking: nothingBlanked, warn: (what) => told.push(what) });
  await world.sql`
    insert into audit_intake (events)
    values (${Buffer.from('no batch at all')})`;
  await steps.handIn([auditEvent(team_id, { action: 'GET /after' })]);
  while ((await turn()) !== 0) continue;
  assert.deepEqual(
    (await api.governance.auditLogs({})).logs.map(({ action }) => action),
    ['GET /after'],
  );
  assert.equal(told.length, 1);
  const [{ events }] = await world.sql<[{ events: Buffer }]>`select events from audit_unreadable`;
  assert.equal(events.toString(), 'no batch at all');
});

test('a broken line of a batch is put aside and told, a damaged field is told, and the other lines are recorded whole', async () => {
  const { api, team_id } = await owner();
  const told: string[] = [];
  const turn = createSequencer({ store: sequenceStore(world.sql), readBlanking: nothingBlanked, warn: (what) => told.push(what) });
  const [good, odd] = [
    auditEvent(team_id, { action: 'GET /good' }),
    { ...auditEvent(team_id, { action: 'GET /odd' }), status: 'fine', actor: 7 },
  ];
  await steps.handInText([JSON.stringify(good), JSON.stringify(good).slice(0, 40), JSON.stringify(odd)].join('\n'));
  while ((await turn()) !== 0) continue;
  const { logs } = await api.governance.auditLogs({});
  assert.deepEqual(
    new Set(logs.map(({ action, status }) => `${action} ${status}`)),
    new Set([`GET /good ${good.status}`, 'GET /odd error']),
  );
  assert.match(told.join('\n'), /unreadable, recorded without them: status \(1\), actor \(1\)/);
  assert.match(told.join('\n'), /moved to audit_unreadable: 1 line of it: no JSON in line 2/);
  const rows = await world.sql<{ error: string }[]>`select error from audit_unreadable where error like '%line 2'`;
  assert.equal(rows.length, 1);
});

test("a team's flood delays no other team: another's record is in the trail after one batch, and the flood keeps its order", async () => {
  const [flooding, other] = [await owner(), await owner()];
  await world.sql`
    insert into audit_intake (event)
    select ${world.sql.json(auditEvent(flooding.team_id) as never)}::jsonb || jsonb_build_object('id', 'aud_' || n, 'action', 'GET /' || n)
    from generate_series(1, 1200) as n`;
  await steps.handIn([auditEvent(flooding.team_id, { action: 'GET /1201' })]);
  await world.sql`
    update audit_intake
    set team_id = ${flooding.team_id}
    where events is not null`;
  await world.sql`insert into audit_intake (event) values (${world.sql.json(auditEvent(other.team_id, { action: 'GET /other' }) as never)})`;
  const turn = createSequencer({ store: sequenceStore(world.sql), readBlanking: nothingBlanked, warn: assert.fail });
  assert.equal(await turn(), 500);
  assert.deepEqual(
    (await other.api.governance.auditLogs({})).logs.map(({ action }) => action),
    ['GET /other'],
  );
  await steps.sequence();
  const actions = await world.sql<{ action: string }[]>`
    select action
    from audit_records
    where team_id = ${flooding.team_id}
    order by seq`;
  assert.deepEqual(
    actions.map(({ action }) => action),
    many(1201).map((_, index) => `GET /${index + 1}`),
  );
});

test('every team has its turn within a few batches, also when more teams wait than one batch serves and half of them flood', async () => {
  const teams = many(60).map((_, index) => `tea_turns_${String(index).padStart(2, '0')}`);
  const event = world.sql.json(auditEvent('') as never);
  const flood = () =>
    world.sql`
      insert into audit_intake (event)
      select ${event}::jsonb || jsonb_build_object('team_id', team_id)
      from unnest(${teams.slice(0, 30)}::text[]) as team_id, generate_series(1, 40)`;
  await flood();
  await world.sql`
    insert into audit_intake (event)
    select ${event}::jsonb || jsonb_build_object('team_id', team_id)
    from unnest(${teams.slice(30)}::text[]) as team_id`;
  const turn = createSequencer({ store: sequenceStore(world.sql), readBlanking: nothingBlanked, warn: assert.fail });
  for (let batch = 1; batch <= 3; batch++) {
    await turn();
    await flood();
  }
  const [{ served }] = await world.sql<[{ served: number }]>`
    select count(distinct team_id)::int as served
    from audit_records
    where team_id = any(${teams})`;
  assert.equal(served, 60);
  await steps.sequence();
});
