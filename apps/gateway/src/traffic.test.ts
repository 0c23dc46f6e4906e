import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Agent, type Fixture, startAgent, startFixture, until } from '../test/fixture.ts';
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

const totals = async (deployment: string) => {
  const rows = await fixture.database.sql`select * from traffic_minutes where deployment_id = ${deployment}`;
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
}, async (t) => {
  if (process.env.PADDOCK_TEST_DATABASE_URL) return t.skip('the database belongs to somebody else');
  await fixture.route('away', agent, 'dep_away');
  await fixture.fetch('away', '/200');
  await fixture.database.stopServer();
  for (let i = 0; i < 10; i++) assert.equal((await fixture.fetch('away', '/200')).status, 200);
  await fixture.database.startServer();
  await until(async () => (await totals('dep_away')).requests === 11, 'all requests are counted');
  // And changes are followed again.
  await fixture.route('away', 'stopped', 'dep_away');
  assert.equal((await fixture.fetch('away', '/200')).status, 503);
});
