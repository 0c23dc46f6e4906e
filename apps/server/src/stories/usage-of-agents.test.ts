import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches, startPlatform, until } from '../../test/platform.ts';
import { connect } from '../db/connect.ts';

const bytes = 3_000_000;
/** An agent that reports when its process started, by the machine's clock, and sends a number of bytes. */
const agent = `
  const started = Math.round(Date.now() - process.uptime() * 1000);
  require('node:http').createServer((request, response) => {
    response.end(request.url === '/bytes' ? 'x'.repeat(${bytes}) : String(started));
  }).listen(process.env.PORT);`;
/** How long the agent runs after the server was killed: long enough for the loss of a sample of 10 seconds to show. */
const runsMs = 14_000;

test('what an agent ran and sent is what was seen from outside, over a kill -9 and a restart of the server', async (t) => {
  const platform = await startPlatform(t, { PADDOCK_AGENTS_ON_EXIT: 'keep' });
  const sql = connect(platform.databaseUrl, { max: 1 });
  t.after(() => sql.end({ timeout: 5 }));
  const { api } = await platform.person();
  const project = await api.projects.create({ name: 'metered' });
  const { id } = await deploy(api, project.id, { 'server.js': agent });
  const { url } = await reaches(api, id, ['active']);
  const host = new URL(url ?? '').hostname;
  const started = Number((await platform.visit(host)).body);
  await until('its row', async () => (await sql`select 1 from running_spans`).length === 1);
  for (let n = 0; n < 4; n++) assert.equal((await platform.visit(host, '/bytes')).body.length, bytes);
  await platform.kill();
  await sleep(runsMs);
  await platform.boot();
  assert.equal(Number((await platform.visit(host)).body), started, 'the same process');
  await platform.stop();
  await platform.boot();

  const stopped = Date.now();
  await api.deployments.stop({ id });
  await reaches(api, id, ['stopped']);
  const metered = async () => {
    const { usage } = await api.usage.list({});
    return { hours: usage[0]?.compute_hours ?? 0, gb: usage[0]?.bandwidth_gb ?? 0 };
  };
  const isRemoved = async () => {
    const [row] = await sql<{ instance_id: string | null }[]>`select instance_id from deployments where id = ${id}`;
    return row?.instance_id === null;
  };
  await until('the instance is removed', isRemoved);
  const over = Date.now();
  const spans = await sql<{ seconds: number }[]>`select extract(epoch from seen_at - began_at)::float8 as seconds from running_spans`;
  assert.equal(spans.length, 1, 'adopted twice, counted once');
  const ran = spans[0]?.seconds ?? 0;
  // The sandbox starts a moment before the process; the agent ended between the request to stop and its removal.
  const [least, most] = [(stopped - started) / 1000, (over - started) / 1000 + 2];
  assert.ok(ran >= least * 0.99 && ran <= most * 1.01, `${ran} s, seen from outside ${least} to ${most} s`);
  await sql`update periodic_jobs set next_run_at = now() where name = 'usage.meter'`;
  await until('the month has it', async () => Math.abs((await metered()).hours * 3600 - ran) <= 1);
  const { gb } = await metered();
  assert.ok(Math.abs(gb * 1e9 - 4 * bytes) <= 4 * bytes * 0.01, `${gb * 1e9} of ${4 * bytes} bytes`);
});
