import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { tamper } from '../../../../test/audit.ts';
import { type PolicyWorld, policyWorld } from '../../../../test/policies.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { runJob } from '../../../../test/run-job.ts';
import { startApi } from '../../../../test/server.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

async function lines(w: PolicyWorld) {
  const { id } = await w.deploy();
  const append = (message: string, days: number) =>
    world.features.logs.exports.append(w.team_id, id, {
      lines: [{ level: 'info', source: 'agent', message, created_at: daysAgo(days) }],
    });
  await append('old', 8);
  await append('new', 2);
  return async () => {
    const { logs } = await w.api.logs.list({ id });
    const { levels } = await w.api.logs.counts({ id });
    return { messages: logs.map(({ message }) => message), info: levels.info };
  };
}

/** Paddock's own actions in the trail. */
async function enforced(w: PolicyWorld) {
  await w.record();
  const { logs } = await w.api.governance.auditLogs({ limit: 100 });
  return logs.filter(({ action }) => action === 'policy.enforce').map(({ output_data, targets }) => ({ output_data, id: targets[0]?.id }));
}

test('log lines go that are older than an active policy wants, which is recorded; those of other teams and of drafts stay', async () => {
  const [ada, eve] = [await policyWorld(world), await policyWorld(world)];
  const [ofAda, ofEve] = [await lines(ada), await lines(eve)];
  const rule = 'Delete logs after 7 days';
  const draft = await ada.policy([rule], 'draft');
  assert.equal((await ada.api.policies.dryRun({ rules: [rule] })).refused, 1);
  await runJob(world.features, 'log.retain-by-policy');
  assert.deepEqual(await ofAda(), { messages: ['old', 'new'], info: 2 });
  await ada.api.policies.update({ ...given(draft), id: draft.id, status: 'active' });
  await runJob(world.features, 'log.retain-by-policy');
  assert.deepEqual(await ofAda(), { messages: ['new'], info: 1 });
  assert.deepEqual(await ofEve(), { messages: ['old', 'new'], info: 2 });
  assert.deepEqual(await enforced(ada), [{ output_data: { policy: 'Strict', rule, removed: 1 }, id: draft.id }]);
  await runJob(world.features, 'log.retain-by-policy');
  assert.equal((await enforced(ada)).length, 1, 'nothing was left to remove');
  await ada.archive(draft);
  assert.equal((await ada.api.policies.dryRun({ rules: [rule] })).refused, 0);
});

test('of several policies the shortest time counts, and more than one transaction removes goes too', async () => {
  const w = await policyWorld(world);
  const { id } = await w.deploy();
  const old = Array.from(
    { length: 4_500 },
    (_, n) => ({ level: 'info', source: 'agent', message: `${n}`, created_at: daysAgo(3) }) as const,
  );
  for (let from = 0; from < old.length; from += 500)
    await world.features.logs.exports.append(w.team_id, id, { lines: old.slice(from, from + 500) });
  await w.policy(['Delete logs after 30 days'], 'active', 'Long');
  await w.policy(['Retention 2 days'], 'active', 'Short');
  await runJob(world.features, 'log.retain-by-policy');
  const { logs } = await w.api.logs.list({ id });
  assert.deepEqual(logs, []);
  assert.deepEqual((await enforced(w))[0]?.output_data, { policy: 'Short', rule: 'Retention 2 days', removed: 4_500 });
});

test('traces go with their spans, and what they cost stays', async () => {
  const w = await policyWorld(world);
  const { id } = await w.deploy();
  for (const [trace_id, days] of [
    ['a'.repeat(32), 8],
    ['b'.repeat(32), 2],
  ] as const)
    await world.sql`
      insert into traces (deployment_id, trace_id, name, name_rank, named_at, started_at, ended_at, span_count, errors, models, bytes)
      values (${id}, ${trace_id}, 'ask', 0, ${daysAgo(days)}, ${daysAgo(days)}, ${daysAgo(days)}, 1, 0, '{}', 1)`;
  const left = async () => (await w.api.traces.list({ id })).traces.map(({ trace_id }) => trace_id[0]);
  const policy = await w.policy(['Delete traces after 7 days'], 'archived');
  await runJob(world.features, 'trace.retain-by-policy');
  assert.deepEqual(await left(), ['b', 'a']);
  assert.equal((await w.api.policies.dryRun({ rules: policy.rules })).refused, 1);
  await w.policy(policy.rules);
  await runJob(world.features, 'trace.retain-by-policy');
  assert.deepEqual(await left(), ['b']);
});

test('audit payloads go, and the records that they belonged to stay', async () => {
  const w = await policyWorld(world);
  await w.deploy();
  await w.record();
  await world.sql`select audit_partitions((now() - interval '8 days')::date)`;
  const moved = `timestamp '${daysAgo(8)}'`;
  await tamper(world.sql, `update audit_payloads set recorded_at = ${moved} where team_id = '${w.team_id}' and seq = 1`);
  await tamper(world.sql, `update audit_records set recorded_at = ${moved} where team_id = '${w.team_id}' and seq = 1`);
  const rule = 'Delete audit payloads after 7 days';
  assert.equal((await w.api.policies.dryRun({ rules: [rule] })).refused, 1);
  const policy = await w.policy([rule], 'draft');
  await runJob(world.features, 'audit.retain-by-policy');
  const erased = async () =>
    (await w.api.governance.auditLogs({ limit: 100 })).logs.filter(({ is_erased }) => is_erased).map(({ seq }) => seq);
  assert.deepEqual(await erased(), []);
  await w.api.policies.update({ ...given(policy), id: policy.id, status: 'active' });
  await runJob(world.features, 'audit.retain-by-policy');
  assert.deepEqual(await erased(), [1]);
});

const given = ({ name, type, description, rules }: Awaited<ReturnType<PolicyWorld['policy']>>) => ({ name, type, description, rules });
