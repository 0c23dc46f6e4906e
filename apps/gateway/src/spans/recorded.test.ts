import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { startDatabase, type TestDatabase } from '../../test/database.ts';
import { type Agent, startAgent, startFixture, until } from '../../test/fixture.ts';

const limits = { trafficFlushMs: 50, spansFlushMs: 50, routesPollMs: 200 };
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const visitorsSpan = '00f067aa0ba902b7';

let database: TestDatabase;
let agent: Agent;
/** The traceparent of each request, in order. */
let seen: string[] = [];
before(async () => {
  database = await startDatabase();
  agent = await startAgent((req, res) => {
    seen.push(String(req.headers.traceparent));
    res.statusCode = Number(req.url!.slice(1, 4)) || 200;
    if (req.url !== '/cut') return res.end();
    res.writeHead(200, { 'content-length': '10' }).write('part');
    return setImmediate(() => req.socket.destroy());
  });
});
after(async () => {
  await database.close();
  await agent.close();
});

const spansOf = (deployment: string, { sql } = database) =>
  sql`select name, span_id from spans where deployment_id = ${deployment} order by started_at`;

function logOf() {
  const lines: { msg: string; spans?: number }[] = [];
  return { lines, log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test('so many requests are recorded, whatever visitors ask for, and the agent is told which', async () => {
  const few = await startFixture({ database, limits: { ...limits, spansAtOnce: 3, spansPerSecond: 1e-6 } });
  await few.route('sampled', agent, 'dep_sampled');
  await few.route('other', agent, 'dep_other');
  seen = [];
  for (const flag of ['00', '01', '00', '01', '00', '01'])
    await few.fetch('sampled', '/', { headers: { traceparent: `00-${trace}-${visitorsSpan}-${flag}` } });
  await few.fetch('other');
  assert.deepEqual(
    seen.map((traceparent) => traceparent.slice(-2)),
    ['01', '01', '01', '00', '00', '00', '01'],
  );
  const recorded = seen.slice(0, 3).map((traceparent) => traceparent.slice(36, 52));
  await few.close();
  const spans = await spansOf('dep_sampled');
  assert.deepEqual(
    spans.map(({ span_id }) => span_id),
    recorded,
  );
  assert.equal((await spansOf('dep_other')).length, 1);
});

test('of the requests beyond, some of those that fail are recorded all the same', async () => {
  const bounds = { spansAtOnce: 1, spansPerSecond: 1e-6, failedSpansAtOnce: 2, failedSpansPerSecond: 1e-6 };
  const few = await startFixture({ database, limits: { ...limits, ...bounds } });
  await few.route('failing', agent, 'dep_failing');
  seen = [];
  for (const path of ['/', '/200', '/404', '/500', '/cut', '/500', '/200']) await few.fetch('failing', path).catch(() => undefined);
  await few.close();
  const spans = await spansOf('dep_failing');
  assert.deepEqual(
    spans.map(({ name }) => name),
    ['GET /', 'GET /500', 'GET /cut'],
  );
  // The agent received `unsampled` before the request failed.
  assert.equal(seen[3]!.slice(-2), '00');
  assert.equal(spans[1]!.span_id, seen[3]!.slice(36, 52));
});

test('a gateway that leaves writes all spans before', async () => {
  const slow = await startFixture({ database, limits: { ...limits, spansFlushMs: 3_600_000, spanRowsPerStatement: 3 } });
  await slow.route('leaving', agent, 'dep_leaving');
  for (let n = 0; n < 10; n++) await slow.fetch('leaving');
  assert.equal((await spansOf('dep_leaving')).length, 0);
  await slow.close();
  assert.equal((await spansOf('dep_leaving')).length, 10);
});

test('a span that the database does not take keeps no other one back', async () => {
  await database.sql`alter table spans add constraint no_poison check (name <> 'GET /poison')`;
  const { log, lines } = logOf();
  const refused = await startFixture({ database, log, limits });
  await refused.route('poison', agent, 'dep_poison');
  await refused.fetch('poison', '/poison');
  await until(() => lines.some(({ msg }) => msg.includes('rejected by the database')), 'the log tells that a span was dropped');
  await refused.fetch('poison', '/good');
  await until(async () => (await spansOf('dep_poison'))[0]?.name === 'GET /good', 'the next span is stored');
  await refused.close();
});

test('while the database is away visitors notice nothing, and the spans that found room follow when it is back', {
  timeout: 60_000,
}, async () => {
  const own = await startDatabase({ ownServer: true });
  const { log, lines } = logOf();
  const served = await startFixture({ database: own, log, limits: { ...limits, spanRows: 10 } });
  await served.route('away', agent, 'dep_away');
  await own.stopServer();
  for (let n = 0; n < 25; n++) assert.equal((await served.fetch('away', `/200/${n}`)).status, 200);
  const told = () => lines.filter(({ msg }) => msg.startsWith('spans dropped'));
  await until(() => told().length > 0, 'the log tells that spans were given up');
  await own.startServer();
  await until(async () => (await spansOf('dep_away', own)).length === 10, 'what found room is stored');
  assert.deepEqual(
    (await spansOf('dep_away', own)).map(({ name }) => name),
    Array.from({ length: 10 }, (_, n) => `GET /200/${n}`),
  );
  await served.fetch('away', '/200/again');
  await until(async () => (await spansOf('dep_away', own)).length === 11, 'later spans are stored');
  await served.close();
  assert.equal(
    told().reduce((sum, { spans }) => sum + spans!, 0),
    15,
  );
  assert.ok(told().length <= 2, 'at most one line a minute, and one at the end');
  await own.close();
});
