import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDatabase } from '../../test/database.ts';
import { type Agent, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';
import { fromSparse, quantile } from './histogram.ts';

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture({ limits: { trafficFlushMs: 100, routesPollMs: 200 } });
  agent = await startAgent((req, res) => {
    if (req.url === '/broken') return req.socket.destroy();
    res.statusCode = Number(req.url!.slice(1)) || 200;
    return res.end('0123456789');
  });
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const totals = async (deployment: string, { sql } = fixture.database) => {
  const rows = await sql`select * from traffic_minutes where deployment_id = ${deployment}`;
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
  return {
    requests: sum('requests'),
    statuses: [0, 1, 2, 3, 4].map((i) => rows.reduce((total, row) => total + Number(row.statuses[i]), 0)),
    upstream_errors: sum('upstream_errors'),
    bytes_in: sum('bytes_in'),
    bytes_out: sum('bytes_out'),
    latency_us_sum: sum('latency_us_sum'),
    observed: rows.reduce((total, row) => total + Object.values(row.latency as object).reduce((a, b) => a + Number(b), 0), 0),
    rows,
  };
};

test('each request is counted once, with its class, its bytes and its latency', async () => {
  await fixture.route('counted', agent, 'dep_counted');
  for (let i = 0; i < 30; i++) await fixture.fetch('counted', '/200', { method: 'POST', body: 'four' });
  for (let i = 0; i < 5; i++) await fixture.fetch('counted', '/404');
  for (let i = 0; i < 3; i++) await fixture.fetch('counted', '/500');
  for (let i = 0; i < 2; i++) assert.equal((await fixture.fetch('counted', '/broken')).status, 502);
  await until(async () => (await totals('dep_counted')).requests >= 40, 'all requests are counted');
  const { rows, latency_us_sum, ...exact } = await totals('dep_counted');
  assert.deepEqual(exact, { requests: 40, statuses: [0, 30, 0, 5, 5], upstream_errors: 2, bytes_in: 120, bytes_out: 380, observed: 40 });
  const median = quantile(fromSparse(rows[0]!.latency), 0.5)!;
  assert.ok(median > 50 && median < 5_000_000 && latency_us_sum > median);
});

test('while the database is away requests are served and counted, and the figures follow when it is back', {
  timeout: 30_000,
}, async () => {
  const database = await startDatabase({ ownServer: true });
  const limits = { trafficFlushMs: 100, routesPollMs: 200 };
  const served = await startFixture({ database, limits });
  await served.route('away', agent, 'dep_away');
  await served.fetch('away', '/200');
  await database.stopServer();
  for (let i = 0; i < 10; i++) assert.equal((await served.fetch('away', '/200')).status, 200);
  const late = await startFixture({ database, limits });
  assert.equal((await late.fetch('away')).json().code, 'routes_unknown');
  await database.startServer();
  await until(async () => (await late.fetch('away', '/200')).status === 200, 'a gateway that began without a database knows the routes');
  await late.close();
  await until(async () => (await totals('dep_away', database)).requests === 12, 'all requests are counted');
  // The gateway follows changes again.
  await served.route('away', 'stopped', 'dep_away');
  assert.equal((await served.fetch('away', '/200')).status, 503);
  await served.close();
  await database.close();
});
