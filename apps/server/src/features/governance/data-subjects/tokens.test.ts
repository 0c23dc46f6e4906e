import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { SubjectPlaceName } from '@paddock/contract';
import { piiTypes, projectTokenKey, tokeniser } from '@paddock/pii';
import { auditEvent, auditedPerson, auditSteps } from '../../../../test/audit.ts';
import { askErasure } from '../../../../test/erasures.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';
import { tokenKey } from '../../../secrets/token-key.ts';
import { buildNeedles } from '../../../subjects/needles.ts';

const person = 'ada@example.com';

let world: Awaited<ReturnType<typeof startApi>>;
let steps: Awaited<ReturnType<typeof auditSteps>>;
before(async () => {
  world = await startApi({ after: atEnd });
  steps = await auditSteps(world);
});
const work = () => world.features.dataSubjects.jobs[0]!.run(AbortSignal.timeout(30_000));
const tokenIn = (project_id: string) => tokeniser(projectTokenKey(tokenKey(world.seal), project_id))('Email', person);

/** Stores a text as a log line, and as a span and its trace. */
async function store(team_id: string, project_id: string, text: string) {
  const deployment_id = `dep_${project_id}`;
  const trace_id = project_id.padEnd(32, '0').slice(-32);
  await world.sql`
    insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    values (${deployment_id}, ${team_id}, ${project_id}, 'production', 'failed', 'b', 'n', 1, 'u')`;
  await world.sql`
    insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
    values (${deployment_id}, ${team_id}, 1, 'info', 'agent', ${text}, now())`;
  await world.sql`
    insert into spans (
      deployment_id, trace_id, origin, span_id, name, kind, type, started_at, duration_us, status, is_counted, attributes, events, dropped,
      content_dropped, bytes
    )
    values (
      ${deployment_id}, ${trace_id}, 'gateway', ${'b'.repeat(16)}, 'GET /', 'server', 'http', now(), 5, 'ok', false,
      ${world.sql.json({ said: text })}, '[]', 0, 0, 10
    )`;
  return deployment_id;
}

test("a person's data is found and erased by the tokens of all projects of the team, of deleted ones, and of before each project had its key", async () => {
  const { api, team_id } = await auditedPerson(world);
  const projects = [await api.projects.create({ name: 'one' }), await api.projects.create({ name: 'two' })];
  const old = tokeniser(tokenKey(world.seal))('Email', person);
  const tokens = [...projects.map(({ id }) => tokenIn(id)), tokenIn('prj_deleted'), old];
  assert.equal(new Set(tokens).size, 4);
  await steps.handIn(
    ['prj_deleted', ...projects.map(({ id }) => id)].map((agent_id, index) =>
      auditEvent(team_id, { agent_id, input_data: { method: 'POST', body: { note: `about ${tokens.at(index - 1)!}`, old } } }),
    ),
  );
  await steps.handIn([auditEvent(team_id, { input_data: { method: 'POST', body: { note: `about ${tokenIn('prj_foreign')}` } } })]);
  await steps.sequence();
  const deployments: string[] = [];
  for (const { id } of projects)
    deployments.push(await store(team_id, id, `mail of ${tokens.join(' and ')} and ${tokenIn('prj_foreign')}`));

  const { id } = await askErasure(api, [person], work);
  await work();
  const { places, status } = await api.dataSubjects.get({ id });
  const erased = (name: SubjectPlaceName) => places.find(({ place }) => place === name)?.erased;
  assert.deepEqual([status, erased('records'), erased('logs'), erased('traces')], ['completed', 3, 2, 2]);
  const left = await world.sql<{ text: string }[]>`
    select message as text
    from log_lines
    where deployment_id = any(${deployments})
    union all
    select attributes->>'said'
    from spans
    where deployment_id = any(${deployments})`;
  const erasedText = `mail of ${tokens.map(() => '[ERASED]').join(' and ')} and ${tokenIn('prj_foreign')}`;
  assert.deepEqual(
    left.map(({ text }) => text),
    Array.from({ length: 4 }, () => erasedText),
  );
});

test('an identifier is found as every type that it may have been taken for, and every token has the form that is searched for', () => {
  const keys = [new Uint8Array(32), new Uint8Array(32).fill(1)];
  const { isIn, without, tokens } = buildNeedles(['ada 123', 'eve 456'], keys);
  assert.equal(new Set(tokens).size, 2 * 2 * piiTypes.length);
  for (const key of keys)
    for (const type of piiTypes) {
      const token = tokeniser(key)(type, 'ADA 123');
      assert.ok(isIn(`<${token}>`), type);
      assert.equal(without(`<${token}>`), '<[ERASED]>');
      assert.equal(isIn(tokeniser(key)(type, 'bob 789')), false);
    }
});
