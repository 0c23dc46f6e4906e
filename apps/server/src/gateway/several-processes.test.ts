import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, type Platform, reaches, startPlatform, until } from '../../test/platform.ts';
import { ownGateways } from './own-gateways.ts';

const agent = { 'server.js': `require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT)` };

/** Sends visits until stopped; returns every response that was not the agent's. */
function visitAll(paddock: Platform, host: string) {
  const stopping = new AbortController();
  const wrong: string[] = [];
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const { status, body } = await paddock.visit(host).catch((error: Error) => ({ status: 0, body: error.message }));
      if (status !== 200 || body !== 'up') wrong.push(`${status} ${body}`);
      await sleep(10);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
    return wrong;
  };
}

test('visitors of a gateway with two processes notice no kill -9 of the server; the next server finds all its processes and lets them leave', async (t) => {
  const paddock = await startPlatform(t, { PADDOCK_GATEWAY_PROCESSES: '2' });
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'several' });
  await reaches(api, (await deploy(api, id, agent)).id, ['active']);
  const own = ownGateways(paddock.dataDir);
  const pids = () => own.living().map(({ pid }) => pid);
  const leader = await paddock.gatewayPid();
  await until('a leader and two processes run', async () => pids().length === 3 && pids().includes(leader));

  const before = pids();
  const stopVisiting = visitAll(paddock, 'several.localhost');
  await paddock.kill();
  await paddock.boot();
  await until('only the new ones run', async () => pids().length === 3 && !pids().some((pid) => before.includes(pid)));
  assert.deepEqual(await stopVisiting(), []);

  process.kill(await paddock.gatewayPid(), 'SIGKILL');
  await until('the agent answers again', async () => (await paddock.visit('several.localhost').catch(() => undefined))?.body === 'up');
  await until('one gateway is left', async () => pids().length === 3 && pids().includes(await paddock.gatewayPid()));
  assert.equal(await paddock.stop(), 0);
  assert.deepEqual(pids(), []);
});
