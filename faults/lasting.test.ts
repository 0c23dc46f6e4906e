import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, isConnectionError } from '../apps/server/src/db/connect.ts';
import { testDatabase } from '../apps/server/test/postgres.ts';
import { type Moment, tcpProxy } from './tcp-proxy.ts';

test('a connection that is lost in the middle of a transaction fails that one alone: nothing crashes or hangs, and the next one works', async (t) => {
  const database = await testDatabase();
  const address = new URL(database.url);
  const proxy = await tcpProxy({ host: address.hostname, port: Number(address.port) });
  const sql = connect(proxy.through(database.url), { max: 2 });
  t.after(async () => {
    await sql.end({ timeout: 1 });
    await proxy.close();
    await database.drop();
  });
  await sql`create table kept (word text)`;
  const write = (word: string) =>
    sql.begin(async (tx) => {
      await tx`insert into kept values (${word})`;
      // Application code does this: it handles the error and goes on with a transaction that it no longer has.
      await tx`select 'middle'`.catch(() => tx`select 'after the end'`);
      await tx`insert into kept values (${`${word} again`})`;
    });
  await write('whole');
  for (const moment of ['before', 'sent', 'answered'] satisfies Moment[])
    for (const statement of [/^begin/, /^insert into kept/, /^select 'middle'/]) {
      const happened = proxy.cutAt(statement, moment);
      const neighbours = [1, 2, 3].map((n) => sql`select ${n}::int as n`.then((rows) => rows[0]!.n as number));
      const [cut, ...answers] = await Promise.race([
        Promise.allSettled([write(`${moment} ${statement}`), ...neighbours]),
        sleep(5_000, undefined, { ref: false }).then(() => Promise.reject(new Error(`${moment} ${statement}: it hangs`))),
      ]);
      await happened;
      assert.ok(cut.status === 'rejected' && isConnectionError(cut.reason), `${moment} ${statement}: ${cut.status}`);
      for (const one of answers) assert.ok(one.status === 'fulfilled' || isConnectionError(one.reason), String(statement));
      assert.deepEqual([...(await sql`select 1 as n`)], [{ n: 1 }]);
    }
  const kept = await sql<{ word: string }[]>`select word from kept order by word`;
  assert.deepEqual(
    kept.map(({ word }) => word),
    ['whole', 'whole again'],
    'what was cut before its commit had no effect',
  );
});
