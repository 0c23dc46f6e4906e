import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import { auditedPerson } from '../../../../test/audit.ts';
import { deploymentIn } from '../../../../test/rows.ts';
import { startApi } from '../../../../test/server.ts';
import { connect } from '../../../db/connect.ts';
import { startPostgres } from '../../../db/postgres/start-postgres.ts';
import { residencyFeature } from './feature.ts';
import { listStores } from './stores.ts';

const url = 'https://hooks.example.com/secret-path';

test('the statement tells by volumes where data lies, and names no folder of the operator', async (t) => {
  const server = await startApi(t);
  const { api } = await server.person();
  const { stores, receivers, models } = await api.residency.get();
  assert.deepEqual(
    stores.map((one) => one.store),
    ['platform_database', 'data_directory', 'archives', 'managed_databases', 'backups', 'audit_checkpoints'],
  );
  const [, data] = stores;
  const mounts = await readFile('/proc/self/mounts', 'utf8');
  assert.ok(mounts.includes(` ${data?.mounted_at} ${data?.file_system} `), `${data?.mounted_at} is a mount of ${data?.file_system}`);
  assert.ok(data && data.free_bytes !== null && data.total_bytes !== null && data.free_bytes <= data.total_bytes);
  assert.ok(!JSON.stringify(stores).includes(server.dataDir));
  assert.deepEqual([receivers, models], [[], []]);
});

test('a database elsewhere is told by its host alone, and a disk that shows its encryption as encrypted', async (t) => {
  const server = await startApi(t);
  await mkdir(join(server.dataDir, 'databases'), { recursive: true });
  const stores = await listStores({
    sql: server.sql,
    config: {
      dataDir: server.dataDir,
      blobDir: join(server.dataDir, 'blobs'),
      databaseUrl: 'postgres://ada:PASSWORD@db.example.com/paddock',
    },
    volumes: async () => ({ state: 'encrypted', file_system: 'ext4', mapping: 'luks-data', mounted_at: '/' }),
  });
  assert.deepEqual(stores[0], {
    store: 'platform_database',
    holds: stores[0]?.holds,
    host: 'db.example.com',
    mounted_at: null,
    file_system: null,
    encryption: 'unknown',
    free_bytes: null,
    total_bytes: null,
  });
  assert.ok(stores.slice(1).every((one) => one.encryption === 'encrypted' && one.mounted_at === '/' && (one.total_bytes ?? 0) > 0));
});

test('the embedded PostgreSQL lies in the data directory, also where it sees its folder under another name', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-residency-'));
  const log = { info: () => undefined, warn: () => undefined, error: console.error };
  const postgres = await startPostgres({ dataDir, log, signal: AbortSignal.timeout(60_000) });
  const sql = connect(postgres.url, { max: 1 });
  t.after(async () => {
    await sql.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const asked: string[] = [];
  const stores = await listStores({
    sql,
    config: { dataDir, blobDir: join(dataDir, 'blobs'), databaseUrl: undefined },
    volumes: async (path) => {
      asked.push(path);
      return { state: 'encrypted', file_system: 'ext4', mapping: 'luks-data', mounted_at: '/' };
    },
  });
  const [database, data] = stores;
  assert.ok(asked.includes(join(dataDir, 'postgres')));
  assert.partialDeepStrictEqual(database, { store: 'platform_database', host: null, mounted_at: '/', encryption: 'encrypted' });
  assert.deepEqual(database, { ...data, store: database?.store, holds: database?.holds, free_bytes: database?.free_bytes });
  assert.ok((database?.free_bytes ?? 0) > 0);
});

test('receivers are told by their hosts, without passwords and paths, to their own team alone', async (t) => {
  const server = await startApi(t, { resolveTargets: async () => ['192.0.2.1'] });
  const { api, team_id } = await auditedPerson(server);
  const [eve] = [await server.person()];
  await api.channels.create({ type: 'webhook', name: 'Pager', url, events: ['alert.opened'] });
  const { channel: off } = await api.channels.create({ type: 'webhook', name: 'Off', url, events: ['alert.opened'] });
  await api.channels.update({ id: off.id, is_active: false });
  const mine = await api.residency.get();
  assert.deepEqual(mine.receivers, [{ purpose: 'channel', name: 'Pager', host: 'hooks.example.com' }]);
  assert.deepEqual((await eve.api.residency.get()).receivers, []);

  const config = { dataDir: server.dataDir, blobDir: server.dataDir, databaseUrl: undefined } as Parameters<
    typeof residencyFeature
  >[0]['config'];
  const { exports: gives } = residencyFeature(
    { sql: server.sql, config: { ...config, smtpUrl: 'smtps://ada:PASSWORD@mail.example.com', auditWebhookUrl: url } },
    { channels: async () => [], countedProviders: async () => ({ providers: [], total: 0 }) },
  );
  const { receivers } = await gives.residency(team_id);
  assert.deepEqual(
    receivers.map(({ purpose, host }) => `${purpose} ${host}`),
    ['mail mail.example.com', 'audit_checkpoints hooks.example.com'],
  );
});

test('an auditor gets the statement with the evidence', async (t) => {
  const { person, origin } = await startApi(t);
  const { api, token } = await person();
  const answer = await fetch(`${origin}/api/v1/governance/compliance/gdpr/evidence`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  const { stores } = JSON.parse(new TextDecoder().decode(files['residency.json']));
  const shape = (all: { store: string; mounted_at: string | null }[]) => all.map(({ store, mounted_at }) => [store, mounted_at]);
  assert.deepEqual(shape(stores), shape((await api.residency.get()).stores));
});

test('of very many hosts of models the most called are listed, and all are counted', async (t) => {
  const { sql, api } = await deploymentIn(await startApi(t));
  await sql`
    insert into spans (
      deployment_id, trace_id, origin, span_id, name, kind, type, started_at, duration_us, status, provider, is_counted, attributes, events, dropped,
      content_dropped, bytes)
    select
      'dep_rows', md5(n::text || c), 'agent', left(md5(n::text || c), 16), 'model', 'client', 'model', now() - interval '1 hour', 5000, 'ok', 'provider-' || n,
      false, '{}', '[]', 0, 0, 300
    from generate_series(1, 1005) n, generate_series(1, case when n = 1005 then 3 else 1 end) c`;
  const { models, models_total } = await api.residency.get();
  assert.deepEqual([models.length, models_total], [1_000, 1_005]);
  assert.partialDeepStrictEqual(models[0], { provider: 'provider-1005', calls: 3 });
});
