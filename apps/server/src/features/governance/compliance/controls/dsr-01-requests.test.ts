import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditedPerson } from '../../../../../test/audit.ts';
import { foundBy, runControl, statusOf } from '../../../../../test/controls.ts';
import { askErasure } from '../../../../../test/erasures.ts';
import { startApi } from '../../../../../test/server.ts';
import { requestControl } from './dsr-01-requests.ts';

test('a request about data that waits for more than 30 days is found, and passes once it is done', async (t) => {
  const world = await startApi(t);
  const { sql, features } = world;
  const { api, team_id } = await auditedPerson(world);
  const control = requestControl({ sql });
  assert.deepEqual(await runControl(control, team_id), {
    looked_at: '0 requests of people about their data, of the last year.',
    absence: 'Nobody has asked about their data within the last year.',
    resources: [],
  });
  const { id } = await api.dataSubjects.create({ kind: 'find', identifiers: ['ada@example.com'] });
  assert.equal(await statusOf(control, team_id), 'passed');
  await sql`
    update data_subject_requests
    set created_at = now() - interval '31 days'
    where id = ${id}`;
  const [late] = await foundBy(control, team_id);
  assert.equal(
    late?.finding,
    'A request to find, made 31 days ago, is not done; GDPR Art. 12(3) allows 30 days. A request to find, made 31 days ago, is not done; Paddock by its own default allows 30 days.',
  );
  await features.dataSubjects.jobs[0]!.run(AbortSignal.timeout(30_000));
  assert.equal(await statusOf(control, team_id), 'passed');
});

test('a request that failed is found until it is made again', async (t) => {
  const world = await startApi(t);
  const { sql, features } = world;
  const { api, team_id } = await auditedPerson(world);
  const control = requestControl({ sql });
  const turn = () => features.dataSubjects.jobs[0]!.run(AbortSignal.timeout(60_000));
  const { id } = await askErasure(api, ['ada@example.com'], turn);
  // It was sealed for another request: it fails after three attempts.
  await sql`
    update data_subject_requests
    set sealed = '\\x00', attempts = 2
    where id = ${id}`;
  await features.dataSubjects.jobs[0]!.run(AbortSignal.timeout(30_000));
  assert.match((await foundBy(control, team_id))[0]?.finding ?? '', /^A request to erase, made 0 minutes ago, failed\.$/);
  assert.equal(
    (await api.dataSubjects.get({ id })).error,
    'Something went wrong on our side. The request is retried up to three times; see the server log.',
  );
  await askErasure(api, ['ADA@example.com'], turn);
  await features.dataSubjects.jobs[0]!.run(AbortSignal.timeout(60_000));
  assert.equal(await statusOf(control, team_id), 'passed');
});
