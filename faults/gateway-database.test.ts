import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { eventsIn } from '../apps/gateway/test/audit.ts';
import { startDatabase } from '../apps/gateway/test/database.ts';
import { startFixture, until } from '../apps/gateway/test/fixture.ts';
import { type Moment, tcpProxy } from './tcp-proxy.ts';

const statements = [
  /insert into traffic_minutes/,
  /insert into spans/,
  /insert into audit_intake/,
  /from routes\s+join [^]*routes\.project_id\s*$/,
  /where label in/,
  /^listen/,
];

/** Timeout until the statement runs. Statements that follow a change can be late on a busy machine. */
const maxMs = 30_000;

test('a gateway whose connections are lost at any moment of its statements serves on, follows its routes, and counts and records each visit once', {
  timeout: 180_000,
}, async (t) => {
  const database = await startDatabase();
  const address = new URL(database.url);
  const proxy = await tcpProxy({ host: address.hostname, port: Number(address.port) });
  const agent = createServer((_, answer) => answer.end('up')).listen(0, '127.0.0.1');
  await once(agent, 'listening');
  const { port } = agent.address() as AddressInfo;
  const fixture = await startFixture({
    database: { ...database, url: proxy.through(database.url) },
    limits: { trafficFlushMs: 50, spansFlushMs: 50, spansAtOnce: 1e6, routesPollMs: 100 },
  });
  t.after(async () => {
    await fixture.close();
    agent.close();
    await proxy.close();
    await database.close();
  });
  await fixture.route('counted', { port }, 'dep_counted');
  let visits = 0;
  const visit = async () => {
    visits += 1;
    const { status, body } = await fixture.fetch('counted');
    assert.equal(`${status} ${body}`, '200 up');
  };
  for (const statement of statements)
    for (const moment of ['before', 'sent', 'answered'] satisfies Moment[]) {
      let isCut = false;
      void proxy.cutAt(statement, moment).then(() => {
        isCut = true;
      });
      // LISTEN runs only on connecting, and the query of one label only after that label changed.
      if (statement.source === '^listen') proxy.cutAll();
      const end = Date.now() + maxMs;
      for (let n = 0; !isCut; n++) {
        assert.ok(Date.now() < end, `nothing was cut at ${statement}`);
        await Promise.all([visit(), visit(), visit()]);
        await fixture.route(`moving${n % 3}`, n % 2 ? { port } : 'stopped', 'dep_moving');
      }
      await fixture.route('counted', { port }, 'dep_counted');
      await visit();
    }
  const counted = async () => {
    const [row] = await database.sql`select coalesce(sum(requests), 0)::int as n from traffic_minutes where deployment_id = 'dep_counted'`;
    return row!.n as number;
  };
  await until(async () => (await counted()) >= visits, `${visits} visits are counted`);
  assert.equal(await counted(), visits);
  const recorded = async () => {
    const [row] = await database.sql`select count(*)::int as n from spans where deployment_id = 'dep_counted'`;
    return row!.n as number;
  };
  await until(async () => (await recorded()) >= visits, `${visits} visits are recorded`);
  assert.equal(await recorded(), visits);
  const onRecord = async () => (await eventsIn(database)).filter(({ targets: [target] }) => target?.id === 'dep_counted').length;
  await until(
    async () => (await onRecord()) >= 2 * visits,
    `${visits} visits are in the audit trail, each with its request and its answer`,
  );
  assert.equal(await onRecord(), 2 * visits);
});
