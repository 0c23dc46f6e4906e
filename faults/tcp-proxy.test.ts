import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import postgres from 'postgres';
import { testDatabase } from '../apps/server/test/postgres.ts';
import { type Moment, tcpProxy } from './tcp-proxy.ts';

async function connected(t: TestContext) {
  const database = await testDatabase();
  const address = new URL(database.url);
  const proxy = await tcpProxy({ host: address.hostname, port: Number(address.port) });
  const direct = postgres(database.url, { max: 1 });
  const through = postgres(proxy.through(database.url), { max: 1, connect_timeout: 1, backoff: () => 0.05 });
  t.after(async () => {
    await through.end({ timeout: 0 });
    await direct.end();
    await proxy.close();
    await database.drop();
  });
  await direct`create table kept (word text)`;
  const words = async () => (await direct<{ word: string }[]>`select word from kept order by word`).map(({ word }) => word);
  return { proxy, through, words };
}

test('a connection can be cut before a commit, after it was sent, and after it was answered, however it was sent', async (t) => {
  const { proxy, through, words } = await connected(t);
  const write = (word: string) => through.begin((tx) => tx`insert into kept values (${word})`);
  await write('first'); // from here on the statements are prepared and known by name alone
  for (const moment of ['before', 'sent', 'answered'] satisfies Moment[]) {
    const happened = proxy.cutAt(/^commit$/i, moment);
    await assert.rejects(write(moment), /CONNECTION_CLOSED|ECONNRESET/);
    await happened;
  }
  for (let tries = 0; (await words()).length < 3 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await words(), ['answered', 'first', 'sent']);
});

test('connections can be ended, refused and accepted again', async (t) => {
  const { proxy, through } = await connected(t);
  await through`select 1`;
  await proxy.refuse();
  assert.equal(proxy.connections(), 0);
  await assert.rejects(through`select 1`.execute(), /ECONNREFUSED|CONNECTION/);
  await proxy.accept();
  await through`select 1`;
});

test('a frozen connection stays open and says nothing; after a thaw only new ones work', async (t) => {
  const { proxy, through } = await connected(t);
  await through`select 1`;
  proxy.freeze();
  const frozen = through`select 2`.execute();
  const first = await Promise.race([frozen, new Promise((resolve) => setTimeout(() => resolve('silence'), 300))]);
  assert.equal(first, 'silence');
  proxy.thaw();
  proxy.cutAll();
  await assert.rejects(frozen, /CONNECTION_CLOSED|ECONNRESET/);
  assert.deepEqual([...(await through`select 3 as n`)], [{ n: 3 }]);
});

test('a delay counts in both directions, and a connection ends at the byte that was named', async (t) => {
  const { proxy, through } = await connected(t);
  await through`select 1`;
  proxy.delay(100);
  const begun = performance.now();
  await through`select 1`;
  assert.ok(performance.now() - begun >= 195, 'there and back');
  proxy.delay(0);
  proxy.cutAfter(8);
  await assert.rejects(through`select 1`, /CONNECTION_CLOSED|ECONNRESET/);
});
