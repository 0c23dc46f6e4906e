import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, type Platform, reaches, startPlatform, until } from '../../../../test/platform.ts';
import { connect } from '../../../db/connect.ts';

const echo = `let n = 0; setInterval(() => console.log('tick ' + ++n), 50); require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT)`;

let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined));

/** Sends requests until stopped, at least as many as are then asked for; records every response that did not come from the agent. */
function visitAll(t: TestContext, paddock: Platform, host: string) {
  const wrong: string[] = [];
  let done = false;
  // Stops after a failed test too, or the file would never end.
  t.after(() => {
    done = true;
  });
  let visits = 0;
  const running = (async () => {
    while (!done) {
      const seen = await paddock.visit(host).then(
        ({ status, body }) => `${status} ${body}`,
        (error: Error) => error.message,
      );
      visits += 1;
      if (seen !== '200 up') wrong.push(seen);
      await sleep(50);
    }
  })();
  return async (minVisits: number) => {
    while (visits < minVisits) await sleep(50);
    done = true;
    await running;
    return { wrong, visits };
  };
}

test('through kill -9 of the server at every stage a running agent never stops answering and each deployment ends under its id', async (t) => {
  const paddock = await platform();
  const { api } = await paddock.person();
  const [steady, moving] = [await api.projects.create({ name: 'steady' }), await api.projects.create({ name: 'moving' })];
  const first = await deploy(api, steady.id, { 'server.js': echo });
  await reaches(api, first.id, ['active']);
  const stopVisiting = visitAll(t, paddock, 'steady.localhost');

  for (const stage of ['queued', 'building', 'deploying'] as const) {
    const made = await deploy(api, moving.id, {
      'package.json': JSON.stringify({ name: stage, version: '1.0.0', scripts: { build: 'sleep 1', start: 'node server.js' } }),
      'server.js': `setTimeout(() => require('http').createServer((q, r) => r.end('${stage}')).listen(process.env.PORT), 1000)`,
    });
    if (stage !== 'queued') await until(`it is ${stage}`, async () => (await api.deployments.get({ id: made.id })).status === stage);
    await paddock.kill();
    await sleep(200);
    await paddock.boot();
    const active = await reaches(api, made.id, ['active']);
    assert.equal(active.id, made.id);
    await until(`${stage} answers`, async () => (await paddock.visit('moving.localhost')).body === stage);
  }
  const { wrong, visits } = await stopVisiting(200);
  assert.deepEqual(wrong, [], `of ${visits} visits`);

  const kept = await api.deployments.get({ id: first.id });
  assert.deepEqual([kept.status, kept.restarts], ['active', 0]);
  const sql = connect(paddock.databaseUrl, { max: 1 });
  try {
    const ticks = (
      await sql<{ message: string }[]>`select message from log_lines where deployment_id = ${first.id} and source = 'agent' order by number`
    ).map((row) => row.message);
    assert.deepEqual(
      ticks,
      ticks.map((_, n) => `tick ${n + 1}`),
      'each line once and in order',
    );
    const numbers = (await sql<{ number: number }[]>`select number from log_lines where deployment_id = ${first.id} order by number`).map(
      (row) => row.number,
    );
    assert.deepEqual(
      numbers,
      numbers.map((_, n) => n + 1),
    );
  } finally {
    await sql.end();
  }
});

test('a killed gateway is back in a moment and serves the same agents', async () => {
  const paddock = await platform();
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'gate' });
  const made = await deploy(api, id, { 'server.js': echo });
  await reaches(api, made.id, ['active']);
  process.kill(await paddock.gatewayPid(), 'SIGKILL');
  await until('it answers again', async () => (await paddock.visit('gate.localhost').catch(() => undefined))?.body === 'up');
});
