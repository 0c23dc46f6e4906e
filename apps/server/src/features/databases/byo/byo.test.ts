import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { databases as contract, type DatabaseType, type Environment } from '@paddock/contract';
import * as z from 'zod';
import { calledBy, databaseRows, type Rows } from '../../../../test/database-rows.ts';
import { atEnd, testDatabase } from '../../../../test/postgres.ts';
import { rateLimit } from '../../../http/rate-limit.ts';
import { uuidv7 } from '../../../ids.ts';
import { databaseContext } from '../../../secrets/contexts.ts';
import { databaseStore } from '../store.ts';
import { byoCheck } from './byo-check.ts';
import { byoHandlers } from './byo-routes.ts';
import { byoStore } from './byo-store.ts';

let rows: Rows;
/** A reachable PostgreSQL. */
let good: string;
before(async () => {
  rows = await databaseRows({ after: atEnd });
  const { url, drop } = await testDatabase();
  atEnd(drop);
  good = url;
});

const check = byoCheck({ egressAllow: ['127.0.0.1/32'], services: async () => [], resolve: async () => [] });
const handlers = () =>
  byoHandlers({ store: byoStore(rows.sql, rows.seal), check, limit: rateLimit(rows.sql), get: databaseStore(rows.sql).get });
const production = 'production' as const;

/** The stored URLs of an environment, decrypted. */
async function urlsOf(team_id: string, { project_id, environment }: { project_id: string; environment: Environment }) {
  const stored = await rows.sql<{ id: string; type: DatabaseType; secret_sealed: Buffer; secret_key_id: string }[]>`
    select id, type, secret_sealed, secret_key_id
    from databases
    where team_id = ${team_id}
      and project_id = ${project_id}
      and environment = ${environment}
      and mode = 'byo'
      and is_attached`;
  return stored.map(({ id, type, secret_sealed: sealed, secret_key_id: key_id }) => ({
    type,
    url: rows.seal.open({ sealed, key_id }, databaseContext(id)),
  }));
}

test('a database that is brought along is tried, kept sealed, shown without its password, and changed', async () => {
  const ada = await rows.team();
  const [place, seed] = [{ project_id: ada.project_id, environment: production }, uuidv7()];
  const create = () => handlers().create({ ...place, type: 'postgresql', url: good }, calledBy(ada, seed));
  const made = z.parse(contract.create.output, await create());
  const { hostname, port } = new URL(good);
  assert.deepEqual([made.mode, made.status, made.status_message, made.host, made.port], ['byo', 'available', null, hostname, Number(port)]);
  assert.equal((await create()).id, made.id, 'the same request again');
  await assert.rejects(handlers().create({ ...place, type: 'postgresql', url: good }, calledBy(ada)), { code: 'database_taken' });

  const url = 'postgres://ann:CANARY-pass@127.0.0.1:9/shop';
  const changed = z.parse(contract.update.output, await handlers().update({ id: made.id, url }, calledBy(ada)));
  assert.deepEqual([changed.status, changed.port], ['unreachable', 9]);
  assert.match(changed.status_message ?? '', /127\.0\.0\.1:9 does not answer/);
  const [row] = await rows.sql<Record<string, unknown>[]>`select * from databases where id = ${made.id}`;
  assert.ok(!JSON.stringify([row, Buffer.from(row?.secret_sealed as Buffer).toString('latin1')]).includes('CANARY'));
  assert.deepEqual(await urlsOf(ada.team_id, place), [{ type: 'postgresql', url }]);
});

test('what is refused or has the wrong form is not stored', async () => {
  const ada = await rows.team();
  const create = (url: string) =>
    handlers().create({ project_id: ada.project_id, environment: production, type: 'redis', url }, calledBy(ada));
  await assert.rejects(create('redis://10.0.0.1'), { code: 'database_address_refused', message: /PADDOCK_EGRESS_ALLOW/ });
  await assert.rejects(create('postgres://203.0.113.7/x'), {
    code: 'input_invalid',
    errors: [{ path: 'url', message: 'Give a URL such as redis://user:password@host:6379' }],
  });
  assert.equal((await rows.sql`select 1 from databases where team_id = ${ada.team_id}`).length, 0);
});

test("another team's project and database are not there, and a managed one has no address to change", async () => {
  const [ada, bob] = [await rows.team(), await rows.team()];
  const url = 'redis://127.0.0.1:9';
  const of = { project_id: ada.project_id, environment: production, type: 'redis', url } as const;
  await assert.rejects(handlers().create(of, calledBy(bob)), { code: 'project_not_found' });
  const { id } = await handlers().create(of, calledBy(ada));
  await assert.rejects(handlers().update({ id, url }, calledBy(bob)), { code: 'database_not_found' });
  await assert.rejects(handlers().update({ id: await rows.row(ada), url }, calledBy(ada)), { code: 'database_not_byo' });
});

test('a team may try twenty addresses a minute', async () => {
  const [ada, bob] = [await rows.team(), await rows.team()];
  const asked = (who: typeof ada) => handlers().check({ type: 'redis', url: 'redis://10.0.0.1' }, calledBy(who));
  const codes: string[] = [];
  // A rate limit window of a minute may end meanwhile, so this exceeds what two windows allow.
  for (let tries = 0; tries < 41; tries++)
    codes.push(
      await asked(ada).then(
        () => '',
        (error: { code: string }) => error.code,
      ),
    );
  const first = codes.indexOf('too_many_requests');
  assert.ok(first >= 20 && first < 40, `${first}`);
  await assert.rejects(asked(bob), { code: 'database_address_refused' });
  const told = await handlers().check({ type: 'postgresql', url: good }, calledBy(bob));
  assert.equal(z.parse(contract.check.output, told).reachable, true);
});

test('at a deployment what is given replaces what is stored of its type, and one at least must be there', async () => {
  const ada = await rows.team();
  const store = byoStore(rows.sql, rows.seal);
  const place = { project_id: ada.project_id, environment: 'preview' as const };
  const given = (type: 'redis' | 'postgresql', url: string) => ({ type, url, host: 'h.example', port: 1, reachable: true, message: '' });
  const upsert = (...urls: ReturnType<typeof given>[]) => rows.sql.begin((tx) => store.upsertByo(tx, ada.team_id, { ...place, urls }));
  await assert.rejects(upsert(), { code: 'input_invalid', message: /none is stored/ });
  await upsert(given('postgresql', 'postgres://one'), given('redis', 'redis://one'));
  await upsert(given('redis', 'redis://two'));
  await upsert();
  const stored = async () => (await urlsOf(ada.team_id, place)).map(({ url }) => url).sort();
  assert.deepEqual(await stored(), ['postgres://one', 'redis://two']);
  await assert.rejects(
    rows.sql.begin(async (tx) => {
      await store.upsertByo(tx, ada.team_id, { ...place, urls: [given('redis', 'redis://three')] });
      throw new Error('the deployment could not be made');
    }),
    /could not be made/,
  );
  assert.deepEqual(await stored(), ['postgres://one', 'redis://two'], 'both or neither');
  assert.deepEqual(await urlsOf(ada.team_id, { ...place, environment: production }), []);
  await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      rows.sql.begin((tx) =>
        store.upsertByo(tx, ada.team_id, { ...place, environment: production, urls: [given('redis', `redis://${index}`)] }),
      ),
    ),
  );
  assert.equal((await urlsOf(ada.team_id, { ...place, environment: production })).length, 1);
});
