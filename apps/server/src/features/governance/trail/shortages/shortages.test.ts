import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { atEnd } from '../../../../../test/postgres.ts';
import { runJob } from '../../../../../test/run-job.ts';
import { startApi } from '../../../../../test/server.ts';
import { teamOf } from '../../../../../test/team-of.ts';

let server: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  server = await startApi({ after: atEnd });
});
beforeEach(() => server.sql`delete from audit_shortages`);

type Person = Awaited<ReturnType<typeof server.person>>;

/** Inserts a report like a gateway. */
const report = (
  spool_id: string,
  { team_ids, cause = 'disk', state = 'without_bodies' }: { team_ids: string[]; cause?: string; state?: string },
) => server.sql`
  insert into audit_shortages (spool_id, cause, state, since, team_ids)
  values (${spool_id}, ${cause}, ${state}, '2026-11-26 04:12:30Z', ${team_ids})
  on conflict (spool_id) do update
  set cause = excluded.cause, state = excluded.state, team_ids = excluded.team_ids, seen_at = now()`;

/** Runs turns of the job, on two servers concurrently. */
async function turns(times = 2) {
  for (let n = 0; n < times; n++) await Promise.all([0, 1].map(() => runJob(server.features, 'audit.watch-shortages')));
}

const alertsOf = async ({ api }: Person) => (await api.alerts.list({})).alerts;
const mailsOf = async ({ email }: Person) => (await server.mailsTo(email)).filter(({ template }) => template === 'alert').length;

test('a team whose requests lack bodies on a full disk has one alert and one mail for it, other teams none, and its end resolves the alert', async () => {
  const [ada, other] = [await server.person(), await server.person()];
  const team_id = await teamOf(server.sql, ada);
  await report('spl_1', { team_ids: [team_id, 'team_deleted'] });
  await turns();
  await report('spl_2', { team_ids: [team_id] });
  await turns();
  const [alert, ...more] = await alertsOf(ada);
  assert.deepEqual(more, []);
  assert.partialDeepStrictEqual(alert, { severity: 'warning', resolved: false, project_name: null });
  assert.match(
    alert!.message,
    /^A gateway's disk is full since 2026-11-26 04:12 UTC: requests .* are recorded without bodies\. The operator .* free space/,
  );
  assert.equal(await mailsOf(ada), 1);
  assert.deepEqual([await alertsOf(other), await mailsOf(other)], [[], 0]);

  await server.sql`delete from audit_shortages where spool_id = 'spl_1'`;
  await turns();
  assert.equal((await alertsOf(ada))[0]!.resolved, false, 'another gateway still lacks space');
  await server.sql`delete from audit_shortages`;
  await turns();
  assert.deepEqual(
    (await alertsOf(ada)).map(({ id, resolved }) => ({ id, resolved })),
    [{ id: alert!.id, resolved: true }],
  );

  await report('spl_3', { team_ids: [team_id] });
  await turns();
  assert.equal((await alertsOf(ada)).length, 2, 'the next episode is another alert');
});

test('an alert of a shortage becomes critical with another mail when nothing can be recorded, and stays resolved for who knows of it', async () => {
  const ada = await server.person();
  const team_ids = [await teamOf(server.sql, ada)];
  await report('spl_1', { team_ids, cause: 'backlog' });
  await turns();
  assert.match((await alertsOf(ada))[0]!.message, /^The database takes in the records of a gateway too slowly since/);
  await report('spl_1', { team_ids, state: 'unrecorded' });
  await turns();
  const [alert, ...more] = await alertsOf(ada);
  assert.deepEqual(more, []);
  assert.equal(alert!.severity, 'critical');
  assert.match(alert!.message, /503 or serve without a record/);
  assert.equal(await mailsOf(ada), 2);
  await ada.api.alerts.resolve({ id: alert!.id });
  await turns();
  assert.deepEqual(
    (await alertsOf(ada)).map(({ resolved }) => resolved),
    [true],
  );
});

test('a gateway that is silent for ten minutes has no shortage any more', async () => {
  const ada = await server.person();
  await report('spl_1', { team_ids: [await teamOf(server.sql, ada)] });
  await turns();
  await server.sql`update audit_shortages set seen_at = now() - interval '9 minutes'`;
  await turns();
  assert.equal((await alertsOf(ada))[0]!.resolved, false);
  await server.sql`update audit_shortages set seen_at = now() - interval '11 minutes'`;
  assert.equal((await ada.api.system.get()).recording_problem, null);
  await turns();
  assert.equal((await alertsOf(ada))[0]!.resolved, true);
});

test('the page of the system says why records are incomplete, also where no team is known to be concerned', async () => {
  const ada = await server.person();
  assert.equal((await ada.api.system.get()).recording_problem, null);
  await report('spl_1', { team_ids: [] });
  const { recording_problem } = await ada.api.system.get();
  assert.match(recording_problem!.reason, /^A gateway's disk is full since 2026-11-26 04:12 UTC/);
  assert.match(recording_problem!.remedy, /free space on the disk of the data directory/);
  await turns();
  assert.deepEqual(await alertsOf(ada), []);
});
