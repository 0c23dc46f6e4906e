import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checked } from '../../test/compliance.ts';
import { runControl } from '../../test/controls.ts';
import { deploy, type Platform, reaches, startPlatform, until } from '../../test/platform.ts';
import { teamOf } from '../../test/team-of.ts';
import { connect } from '../db/connect.ts';
import { auditCoverageControl } from '../features/governance/compliance/controls/aud-01-coverage.ts';

let shared: Promise<Platform> | undefined;
const sharedPlatform = () => (shared ??= startPlatform(undefined));

const variable = (value: string) => ({
  environment: 'production' as const,
  variables: [{ key: 'TOKEN', value, available_at_build: false }],
});

test('ENC-02: after the operator made a new key the current one, a variable under the older key is found, and passes once it is set again', async () => {
  const platform = await sharedPlatform();
  const { api } = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'shop' });
  await api.variables.set({ project_id, ...variable('first value') });
  assert.equal((await checked(api, 'ENC-02')).status, 'passed');

  const file = join(platform.dataDir, 'secret.key');
  const older = JSON.parse(readFileSync(file, 'utf8')) as { current: string; keys: Record<string, string> };
  const newer = { current: 'next', keys: { ...older.keys, next: Buffer.alloc(32, 7).toString('base64') } };
  await platform.stop();
  writeFileSync(file, JSON.stringify(newer));
  await platform.boot();
  const found = await checked(api, 'ENC-02');
  assert.deepEqual([found.status, found.findings.length], ['failed', 1], found.findings.join());
  assert.match(
    found.findings.join(),
    /^TOKEN of shop, production in variables\.sealed is sealed with the older key .*; the current key is next\.$/,
  );

  await api.variables.set({ project_id, ...variable('second value') });
  const repaired = await checked(api, 'ENC-02');
  assert.equal(repaired.status, 'passed', repaired.findings.join());
});

test('AUD-01: requests whose records lie in a spool that somebody took away are found, and pass once it is put back', async (t) => {
  const platform = await sharedPlatform();
  const sql = connect(platform.databaseUrl, { max: 3 });
  t.after(() => sql.end());
  const { api } = await platform.person();
  const { id: project_id } = await api.projects.create({ name: 'covered' });
  const team_id = await teamOf(sql, { project_id });
  const { id } = await deploy(api, project_id, {
    'server.js': `require('node:http').createServer((_, r) => r.end('ok')).listen(process.env.PORT)`,
  });
  await reaches(api, id, ['active']);
  const visit = async (times: number) => {
    for (let n = 0; n < times; n++) assert.equal((await platform.visit('covered.localhost')).body, 'ok');
  };
  const counted = async (wanted: number) => {
    const [{ n }] = await sql<
      [{ n: number }]
    >`select coalesce(sum(requests), 0)::int as n from traffic_minutes where deployment_id = ${id}`;
    return n >= wanted;
  };
  // Minutes count only a while after their end, so the control's clock is ten minutes ahead.
  const control = auditCoverageControl({ sql, now: () => Date.now() + 10 * 60_000 });
  const lacking = async () => (await runControl(control, team_id)).resources.find((one) => one.id === project_id);
  await visit(10);
  await until('10 requests are counted and recorded', async () => (await counted(10)) && (await lacking())?.status === 'passed');

  // The gateway is killed while no records can be shipped; its spool is removed before the next one looks for it.
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = sql.begin(async (tx) => {
    await tx`lock table audit_intake in exclusive mode`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  await visit(20);
  await until('30 requests are counted', () => counted(30));
  const spool = join(platform.dataDir, 'audit-spool');
  process.kill(await platform.gatewayPid(), 'SIGKILL');
  renameSync(spool, `${spool}.away`);
  // Cancels the statement for which the dead gateway still waited.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%audit_intake%'`;
  release.resolve();
  await holding;
  await until(
    'the next gateway answers',
    async () => (await platform.visit('covered.localhost').catch(() => undefined))?.body === 'ok',
    60,
  );
  await until('the gap is found', async () => (await lacking())?.status === 'failed');
  assert.match((await lacking())?.finding ?? '', /^The trail lacks records of \d+ requests of \d+ that the gateways counted\.$/);

  for (const name of readdirSync(`${spool}.away`)) renameSync(join(`${spool}.away`, name), join(spool, name));
  await until('a living gateway has handed in what the dead one left', async () => (await lacking())?.status === 'passed');
});
