// A query gets exactly its own rows, whatever happened before on the same connection.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, Tx } from '@paddock/database';
import { emptyDatabase } from '../../test/postgres.ts';
import { connect } from './connect.ts';

/** Fills the server's send buffer, so that rows are sent before the statement fails. */
const wide = `repeat('x', 2000) as filler`;

interface Failure {
  run: (sql: Tx) => Promise<unknown>;
  error: RegExp;
  /** Whether the server ends the connection with the failure. */
  endsConnection?: boolean;
  /** Not tested in transactions: the product never does this there, and the driver would wait for ever. */
  isOutsideOfTransactions?: boolean;
}

const failures: Record<string, Failure> = {
  'a syntax error': { run: (sql) => sql.unsafe('selekt 1'), error: /syntax error/ },
  'a table that does not exist': { run: (sql) => sql`select * from no_such_table`, error: /does not exist/ },
  'a parameter that cannot be cast': { run: (sql) => sql`select ${'word'}::text::integer`, error: /invalid input syntax/ },
  'a division by zero behind 100 rows': {
    run: (sql) => sql`select 1 / (101 - g) as one from generate_series(1, 200) g`,
    error: /division by zero/,
  },
  'a division by zero behind rows of a text': {
    run: (sql) => sql.unsafe('select 1 / (101 - g) as one from generate_series(1, 200) g'),
    error: /division by zero/,
  },
  'a cast that fails behind rows': {
    run: (sql) => sql`select (case when g < 101 then g::text else 'word' end)::integer as n from generate_series(1, 200) g`,
    error: /invalid input syntax/,
  },
  'a statement time-out between rows': {
    run: (sql) => sql`select ${sql.unsafe(wide)}, pg_sleep(case when g > 100 then 10 else 0 end) from generate_series(1, 200) g`,
    error: /statement timeout/,
  },
  'a second statement that fails behind the rows of the first': {
    run: (sql) => sql.unsafe('select g from generate_series(1, 50) g; select 1 / 0').simple(),
    error: /division by zero/,
  },
  'a cursor whose second batch fails': {
    run: (sql) => sql`select 1 / (16 - g) as one from generate_series(1, 20) g`.cursor(10, () => undefined),
    error: /division by zero/,
  },
  'a cursor whose reader throws': {
    run: (sql) =>
      sql`select g from generate_series(1, 20) g`.cursor(10, () => {
        throw new Error('the reader failed');
      }),
    error: /the reader failed/,
  },
  'a query read row by row that fails': {
    run: (sql) => sql`select 1 / (101 - g) as one from generate_series(1, 200) g`.forEach(() => undefined),
    error: /division by zero/,
  },
  'a value that cannot be parsed': {
    run: (sql) => sql`select case when g = 3 then 'infinity'::timestamptz else now() end as at from generate_series(1, 5) g`,
    error: /Invalid time value/,
    endsConnection: true,
  },
  'a copy with a bad row': {
    run: async (sql) => {
      const writable = await sql`copy numbers (n) from stdin`.writable();
      await pipeline([Buffer.from('1\n2\nword\n')], writable);
    },
    error: /invalid input syntax/,
  },
  'a cancelled query': {
    run: async (sql) => {
      const query = sql`select ${sql.unsafe(wide)}, pg_sleep(case when g > 100 then 10 else 0 end) from generate_series(1, 200) g`;
      const result = query.execute();
      await sleep(50);
      query.cancel();
      return result;
    },
    error: /canceling statement due to user request/,
  },
  'a query that is cancelled before it was sent': {
    run: (sql) => {
      const query = sql`select pg_sleep(10)`;
      const result = query.execute();
      query.cancel();
      return result;
    },
    error: /canceling statement due to user request/,
    isOutsideOfTransactions: true,
  },
  'a connection that the server ends between rows': {
    run: (sql) =>
      sql`select ${sql.unsafe(wide)}, case when g = 100 then pg_terminate_backend(pg_backend_pid()) end from generate_series(1, 200) g`,
    error: /terminating connection|ended the connection/,
    endsConnection: true,
  },
};

let database: { url: string };
before(async () => {
  database = await emptyDatabase(); // ends with the server of this test run
  const sql = connect(database.url);
  await sql`create table numbers (n integer)`;
  await sql`create table pairs (n integer unique deferrable initially deferred)`;
  await sql.end({ timeout: 5 });
});

/** Uses a single connection, so that each query follows the failure on it. */
async function onOneConnection(work: (sql: Sql) => Promise<void>) {
  const sql = connect(database.url, { max: 1, statementMs: 500 });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function assertRowsAreExact(sql: Tx) {
  const [three, [one], [isThere], none] = await Promise.all([
    sql<{ g: number }[]>`select g from generate_series(1, 3) g`,
    sql<{ one: number }[]>`select 1 as one`,
    sql<{ is_there: boolean }[]>`select exists (select 1) as is_there`,
    sql`select 1 where false`,
  ]);
  assert.deepEqual([...three], [{ g: 1 }, { g: 2 }, { g: 3 }]);
  assert.deepEqual(one, { one: 1 });
  assert.deepEqual(isThere, { is_there: true });
  assert.deepEqual([...none], []);
}

for (const [name, { run, error, endsConnection, isOutsideOfTransactions }] of Object.entries(failures)) {
  test(`after ${name}, the next queries of the connection get their own rows`, () =>
    onOneConnection(async (sql) => {
      await assert.rejects(async () => run(sql), error);
      await assertRowsAreExact(sql);
      await assertRowsAreExact(sql);
    }));

  if (endsConnection) continue;

  test(`queries sent right behind ${name} get their own rows`, () =>
    onOneConnection(async (sql) => {
      const failed = assert.rejects(async () => run(sql), error);
      const exact = assertRowsAreExact(sql);
      await Promise.all([failed, exact]);
    }));

  if (isOutsideOfTransactions) continue;

  test(`after ${name} in a transaction, the next queries get their own rows`, () =>
    onOneConnection(async (sql) => {
      await assert.rejects(
        sql.begin((tx) => run(tx)),
        error,
      );
      await assertRowsAreExact(sql);
    }));

  test(`after ${name} behind a savepoint, the transaction goes on with its own rows`, () =>
    onOneConnection(async (sql) => {
      await sql.begin(async (tx) => {
        await assert.rejects(
          tx.savepoint((inner) => run(inner)),
          error,
        );
        await assertRowsAreExact(tx);
      });
    }));
}

test('a change that fails when it is committed, behind its rows, leaves the next queries their own rows', () =>
  onOneConnection(async (sql) => {
    await assert.rejects(sql`insert into pairs select 1 from generate_series(1, 150) returning n`.then(), /duplicate key/);
    await assertRowsAreExact(sql);
    const [count] = await sql<{ n: number }[]>`select count(*)::integer as n from pairs`;
    assert.deepEqual(count, { n: 0 });
  }));

test('a prepared query whose table changed returns the rows of the new table', () =>
  onOneConnection(async (sql) => {
    await sql`create table changing (a integer)`;
    await sql`insert into changing select generate_series(1, 150)`;
    const read = () => sql`select * from changing where a > ${148} order by a`;
    assert.deepEqual([...(await read())], [{ a: 149 }, { a: 150 }]);
    await sql`alter table changing add column b integer`;
    assert.deepEqual(
      [...(await read())],
      [
        { a: 149, b: null },
        { a: 150, b: null },
      ],
    );
    await assertRowsAreExact(sql);
  }));

test('an answer with more rows than its query has is refused, and its connection is not used again', async () => {
  const { hostname, port } = new URL(database.url);
  // Simulates a driver that has miscounted: the server reports one row fewer than it sent.
  const proxy = createServer((client) => {
    const server = dial(Number(port), hostname);
    client.pipe(server);
    server.on('data', (chunk: Buffer) => client.write(Buffer.from(chunk.toString('latin1').replace('SELECT 7\0', 'SELECT 6\0'), 'latin1')));
    for (const [one, other] of [[client, server] as const, [server, client] as const])
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const sql = connect(url.href, { max: 1 });
  try {
    const pid = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
    const first = await pid();
    await assert.rejects(sql`select g from generate_series(1, 7) g`.then(), { code: 'RESULT_MISMATCH' });
    await assertRowsAreExact(sql);
    assert.notEqual(await pid(), first);
  } finally {
    await sql.end({ timeout: 5 });
    proxy.close();
  }
});

test('a query is cancelled in vain, without ending the process, where the server takes no connection any more', async () => {
  const { hostname, port } = new URL(database.url);
  const proxy = createServer((client) => {
    const server = dial(Number(port), hostname);
    client.pipe(server).pipe(client);
    for (const [one, other] of [[client, server] as const, [server, client] as const])
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const sql = connect(url.href, { max: 1, statementMs: 2000 });
  const other = connect(database.url, { max: 1 });
  try {
    await assertRowsAreExact(sql);
    const query = sql`select pg_sleep(10) as in_vain`;
    let isOver = false;
    const failed = assert.rejects(query.execute(), /statement timeout/).finally(() => (isOver = true));
    // A query that is not sent yet would be cancelled by the driver itself.
    const running = async () => (await other`select 1 from pg_stat_activity where query = 'select pg_sleep(10) as in_vain'`).length;
    while (!isOver && (await running()) === 0) await sleep(10);
    proxy.close(); // new connections are refused from now on
    query.cancel();
    await failed;
    await assertRowsAreExact(sql);
  } finally {
    await Promise.all([sql, other].map((one) => one.end({ timeout: 5 })));
  }
});

test('a connection that is lost while it is set up fails its query alone, and the next connection serves', async () => {
  const { hostname, port } = new URL(database.url);
  let isCut = false;
  const proxy = createServer((client) => {
    const server = dial(Number(port), hostname);
    client.on('data', (chunk: Buffer) => {
      // The driver queries the types of arrays before the first query.
      if (!isCut && chunk.includes('pg_catalog.pg_type')) {
        isCut = true;
        client.resetAndDestroy();
        server.destroy();
      } else server.write(chunk);
    });
    server.pipe(client);
    for (const [one, other] of [[client, server] as const, [server, client] as const])
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const sql = connect(url.href, { max: 1 });
  try {
    await sql`select 1`.then(undefined, () => undefined); // it fails, or is retried on the next connection
    assert.equal(isCut, true);
    await assertRowsAreExact(sql);
  } finally {
    await sql.end({ timeout: 5 });
    proxy.close();
  }
});
