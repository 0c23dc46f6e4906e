import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditedPerson } from '../../../../../test/audit.ts';
import { foundBy, statusOf } from '../../../../../test/controls.ts';
import { deploy, until } from '../../../../../test/platform.ts';
import { startApi } from '../../../../../test/server.ts';
import { noReserve } from '../../../../disk/reserve.ts';
import { startPeriodicJobs } from '../../../../jobs/periodic.ts';
import { platformJobs } from '../../../../jobs/platform-jobs.ts';
import { createLog } from '../../../../log.ts';
import { retentionControl } from './ret-01-retention.ts';

const wanted = ['audit.retention', 'log.retain', 'trace.sweep', 'traffic.retain'];

async function world(t: Parameters<typeof startApi>[0]) {
  const server = await startApi(t);
  const { sql, features } = server;
  const { api, team_id } = await auditedPerson(server);
  /** Runs each due job as the server's background work does. */
  async function sweep(also: readonly string[] = []) {
    const names = [...wanted, ...also];
    const jobs = [...Object.values(features).flatMap((feature) => feature.jobs), ...platformJobs(sql)].filter(({ name }) =>
      names.includes(name),
    );
    assert.equal(jobs.length, names.length);
    await sql`update periodic_jobs set next_run_at = now(), last_run_at = null`;
    const started = startPeriodicJobs({ sql, jobs, reserve: noReserve, log: createLog('silent') });
    await until('every job ran', async () => {
      const rows = await sql`select 1 from periodic_jobs where last_run_at > now() - interval '1 minute' and name = any(${names})`;
      return rows.length === names.length;
    });
    await started.close();
  }
  return {
    sql,
    api,
    team_id,
    features,
    sweep,
    control: retentionControl({ sql, auditRetentionDays: 90, logRetentionDays: 30, ...features.policies.exports.rules }),
  };
}

test('a sweep that did not run for a day and one that failed are found, and pass once they ran', async (t) => {
  const { sql, team_id, sweep, control } = await world(t);
  const unseen = await foundBy(control, team_id, 'unverified');
  assert.deepEqual(
    unseen.map(({ id }) => id),
    wanted,
    'nothing ran yet',
  );
  assert.match(unseen[1]?.finding ?? '', /^Log lines: the job log\.retain has not run on this installation yet\.$/);
  await sweep();
  assert.equal(await statusOf(control, team_id), 'passed');

  await sql`update periodic_jobs set last_run_at = now() - interval '25 hours' where name = 'log.retain'`;
  await sql`update periodic_jobs set last_error = 'Error: disk' where name = 'trace.sweep'`;
  assert.deepEqual(
    (await foundBy(control, team_id)).map(({ finding }) => finding),
    [
      'Log lines: the job log.retain ran 25 hours ago, which is more than 24 hours.',
      'Traces and spans: the last run of the job trace.sweep failed, 0 minutes ago.',
    ],
  );
  await sweep();
  assert.equal(await statusOf(control, team_id), 'passed');
});

test('what is older than its limit is found with its project, and passes once the sweep removed it', async (t) => {
  const { sql, api, team_id, sweep, control } = await world(t);
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  const { id } = await deploy(api, project_id, { 'index.html': 'hello' });
  await sweep();
  await sql`
    insert into spans (
      deployment_id, trace_id, origin, span_id, name, kind, type, started_at, duration_us, status, is_counted, attributes, events, dropped,
      content_dropped, bytes
    )
    values (${id}, ${'a'.repeat(32)}, 'gateway', ${'b'.repeat(16)}, 'GET /', 'server', 'http', now(), 5, 'ok', false, '{}', '[]', 0, 0, 10)`;
  assert.deepEqual(await foundBy(control, team_id), []);
  await sql`update traces set started_at = now() - interval '9 days'`;
  const [old] = await foundBy(control, team_id);
  assert.deepEqual([old?.type, old?.id, old?.name], ['project', project_id, 'shop']);
  assert.equal(old?.finding, 'Traces and spans from 9 days ago are still there; the limit is 7 days.');
  await sweep();
  assert.equal(await statusOf(control, team_id), 'passed');

  // A day of lines whose partition was not dropped.
  const day = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  await sql.unsafe(
    `create table log_lines_${day.replaceAll('-', '')} partition of log_lines for values from ('${day}') to ('${day}T23:59:59Z')`,
  );
  await sql`insert into log_lines (deployment_id, number, team_id, level, source, message, created_at) values (${id}, 1, ${team_id}, 'info', 'stdout', 'old', ${`${day}T12:00:00Z`})`;
  assert.match(
    (await foundBy(control, team_id))[0]?.finding ?? '',
    /^Log lines from (39|40) days ago are still there; the limit is 31 days\.$/,
  );
  await sweep();
  assert.equal(await statusOf(control, team_id), 'passed');
});

test('a limit that a policy shortens counts for its team: a line that is older is found until the policy removed it', async (t) => {
  const { api, team_id, features, sweep, control } = await world(t);
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  const { id } = await deploy(api, project_id, { 'index.html': 'hello' });
  const created_at = new Date(Date.now() - 8 * 86_400_000).toISOString();
  await features.logs.exports.append(team_id, id, { lines: [{ level: 'info', source: 'agent', message: 'old', created_at }] });
  await sweep();
  assert.equal(await statusOf(control, team_id), 'passed', 'the installation keeps lines for 30 days');

  await api.policies.create({ name: 'Short memory', rules: ['Delete logs after 7 days'], status: 'active' });
  const [old] = await foundBy(control, team_id);
  assert.equal(old?.finding, 'Log lines from 8 days ago are still there; the limit is 7 days by the policy "Short memory".');
  const [unseen] = await foundBy(control, team_id, 'unverified');
  assert.equal(unseen?.id, 'log.retain-by-policy', 'the job that keeps to it has not run yet');
  await sweep(['log.retain-by-policy']);
  assert.equal(await statusOf(control, team_id), 'passed');
});
