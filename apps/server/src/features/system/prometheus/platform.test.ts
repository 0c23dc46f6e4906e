import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { valueOf } from '../../../../test/exposition.ts';
import { ago, hour, minute, type Observed, observedRows } from '../../../../test/observability.ts';
import { atEnd } from '../../../../test/postgres.ts';

let rows: Observed;
before(async () => {
  rows = await observedRows({ after: atEnd });
});

test('the queue, nodes, mails, jobs and databases are told as they are now', async () => {
  const ada = await rows.team();
  const { sql } = rows;
  await rows.deployment(ada, { at: ago(hour) });
  for (const [n, status] of ['queued', 'queued', 'building', 'deploying', 'failed'].entries())
    await sql`
      insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, created_at)
      values (${`dep_${n}`}, ${ada.team_id}, ${ada.project_id}, 'production', ${status}, 'b', 'n', 1, 'u', ${ago((n + 1) * minute).toISOString()})`;
  const node = { host: 'h', machine: 'm', blob_store: 's', timeout_s: 60 };
  await sql`insert into nodes ${sql([
    { ...node, label: 'living', owner: 'x', seen_at: ago(5000).toISOString() },
    { ...node, label: 'silent', owner: 'x', seen_at: ago(2 * minute).toISOString() },
    { ...node, label: 'left', owner: null, seen_at: ago(1000).toISOString() },
  ])}`;
  await sql`
    insert into mails (id, to_address, template, sent_at, given_up_at)
    values ('m1', 'a@example.com', 't', null, null), ('m2', 'a@example.com', 't', now(), null), ('m3', 'a@example.com', 't', null, now())`;
  await sql`
    insert into periodic_jobs (name, last_run_at, last_error)
    values ('a.run', to_timestamp(1000), null), ('b.run@"x"', to_timestamp(2000), 'Error: of Ada''s "mail"'), ('c.run', null, null)`;
  const id = await rows.row(ada, { size_bytes: 2048, storage_limit_bytes: 4096 });
  const down = await rows.row(ada, { type: 'redis', status: 'failed' });
  const off = await rows.row(ada, { name: 'copy', is_attached: false, status: 'stopped', wanted: 'stopped' });
  await sql`insert into database_samples (database_id, at, connections, memory_bytes) values (${id}, now(), 3, 1024), (${down}, now() - interval '1 hour', 9, 9)`;
  await sql`
    insert into audit_shortages (spool_id, cause, state, since, team_ids)
    values ('spl_1', 'disk', 'without_bodies', now(), array[${ada.team_id}]), ('spl_2', 'disk', 'without_bodies', now(), '{}')`;
  const found = await rows.read();
  const value = (name: string, labels: Record<string, string> = {}) => valueOf(found, `paddock_${name}`, labels);
  const statuses = ['queued', 'building', 'deploying', 'active'].map((status) => value('deployments', { status }));
  assert.deepEqual(statuses, [2, 1, 1, 1]);
  const age = value('oldest_queued_deployment_age_seconds')!;
  assert.ok(age >= 120 && age < 300, `${age}`);
  assert.deepEqual(
    ['living', 'silent', 'left'].map((label) => value('node_up', { node: label })),
    [1, 0, 0],
  );
  assert.equal(value('mails_waiting'), 1);
  assert.deepEqual(
    [
      value('audit_shortages', { cause: 'disk', state: 'without_bodies' }),
      value('audit_shortages', { cause: 'disk', state: 'unrecorded' }),
      value('audit_shortages', { cause: 'backlog', state: 'without_bodies' }),
    ],
    [2, 0, 0],
  );
  assert.equal(value('build_info', { version: '1.2.3' }), 1);
  assert.deepEqual([value('periodic_job_failed', { name: 'a.run' }), value('periodic_job_failed', { name: 'b.run@\\"x\\"' })], [0, 1]);
  assert.equal(value('periodic_job_last_run_timestamp_seconds', { name: 'a.run' }), 1000);
  assert.deepEqual(
    [id, down, off].map((database) => value('database_up', { database })),
    [1, 0, undefined],
  );
  const sizes = ['size_bytes', 'size_limit_bytes', 'connections', 'memory_bytes'];
  assert.deepEqual(
    sizes.map((name) => value(`database_${name}`, { database: id, project: 'demo', type: 'postgresql', mode: 'managed' })),
    [2048, 4096, 3, 1024],
  );
  assert.deepEqual(
    sizes.map((name) => value(`database_${name}`, { database: down })),
    [undefined, undefined, undefined, undefined],
  );
  assert.ok(!JSON.stringify(found).includes('Ada'), 'names of people and teams, and messages, are not told');
  assert.ok(!found.some(({ labels }) => 'job' in labels || 'instance' in labels), "labels that are Prometheus' own");
});
