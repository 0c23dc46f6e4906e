import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { databaseRows, node } from '../../../test/database-rows.ts';
import { listenForChanges } from '../../db/changes.ts';
import { agentDatabases } from './agent-databases.ts';
import { agentDatabaseStore } from './agent-store.ts';

async function starts(t: TestContext) {
  const rows = await databaseRows(t);
  const changes = await listenForChanges(rows.sql);
  t.after(() => changes.close());
  const live = new Set<string>();
  const give = agentDatabases({
    store: agentDatabaseStore(rows.sql, node, 'machine'),
    seal: rows.seal,
    changes,
    available: async (type) =>
      type === 'redis' ? { ok: false, reason: 'No program.', remedy: 'Install it.' } : { ok: true, version: '18' },
    isLive: (id) => live.has(id),
    checkByo: async () => assert.fail('nothing is brought along here'),
    node,
    machine: 'machine',
  });
  const of = await rows.team();
  const d = { project_id: of.project_id, environment: 'production', database_mode: 'managed' } as const;
  return { ...rows, of, d, live, give: (budget_ms = 300) => give(d, AbortSignal.timeout(20_000), budget_ms) };
}

test('an agent waits for its databases, starts those that were stopped, and is told which are missing', async (t) => {
  const { row, of, live, give, sql } = await starts(t);
  const id = await row(of, { status: 'stopped', wanted: 'stopped', port: 7001 });
  const late = await give();
  assert.deepEqual(late.kind, 'missing');
  assert.match((late as { message: string }).message, /^the PostgreSQL database is stopped \(waited 0 s\)\. Look at them under Databases/);
  assert.equal((await sql<[{ wanted: string }]>`select wanted from databases`)[0].wanted, 'running');
  await sql`update databases set status = 'available'`;
  assert.equal((await give()).kind, 'missing', 'its row is of the server’s last life');
  live.add(id);
  const given = await give();
  assert.ok(given.kind === 'ready');
  assert.deepEqual(
    [given.urls, given.services],
    [{ postgresql: 'postgresql://agent:password@127.0.0.1:7001/app' }, [{ port: 7001, usual_port: 5432 }]],
  );
  assert.deepEqual(given.warnings, ['Managed Redis is not available here: No program. Install it.']);
  assert.equal(await given.isCurrent(), true);
  await sql`update databases set port = 7002`;
  assert.equal(await given.isCurrent(), false);
});

test('databases that nobody has are taken, copies are nobody’s, and those of another machine are left alone', async (t) => {
  const { row, of, live, give, sql } = await starts(t);
  const mine = await row(of, { node: null, machine: null });
  await row(of, { is_attached: false, name: 'copy', port: 9 });
  live.add(mine);
  const given = await give();
  assert.deepEqual(given.kind === 'ready' && given.services, [{ port: 1, usual_port: 5432 }]);
  const [taken] = await sql<{ node: string; machine: string }[]>`select node, machine from databases where id = ${mine}`;
  assert.deepEqual(taken, { node, machine: 'machine' });
  await sql`update databases set node = 'other', machine = 'other'`;
  assert.equal((await give()).kind, 'elsewhere');
  await sql`update databases set wanted = 'deleted', is_attached = false`;
  assert.deepEqual(await give(), { kind: 'missing', message: 'its databases were deleted. Redeploy to get new ones.' });
});
