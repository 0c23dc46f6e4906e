import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '@paddock/database';
import { emptyDatabase } from '../../test/postgres.ts';
import { connect } from './connect.ts';

type Statement = (tx: Tx) => Promise<unknown>;

const statements: Record<string, Statement> = {
  'a query': async (tx) => tx`select 1`,
  'a query as text': async (tx) => tx.unsafe('select 1'),
  'a savepoint': async (tx) => ('savepoint' in tx ? tx.savepoint((inner) => inner`select 1`) : Promise.reject(new Error('no transaction'))),
};

for (const [name, statement] of Object.entries(statements))
  test(`after the connection of a transaction is lost, ${name} is refused, and the process goes on`, async (t) => {
    const database = await emptyDatabase();
    const sql = connect(database.url, { max: 2 });
    const other = connect(database.url, { max: 1 });
    t.after(async () => {
      await Promise.all([sql.end({ timeout: 5 }), other.end({ timeout: 5 })]);
      await database.drop();
    });
    const refused = Promise.withResolvers<{ code?: string } | undefined>();
    const done = sql.begin(async (tx) => {
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await other`select pg_terminate_backend(${own!.pid})`;
      await sleep(300); // the driver learns that its connection is gone
      await statement(tx).then(
        () => refused.resolve(undefined),
        (error: { code?: string }) => refused.resolve(error),
      );
    });
    await assert.rejects(done);
    assert.equal((await refused.promise)?.code, 'CONNECTION_CLOSED');
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }]);
  });
