import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches, startPlatform, until } from '../../../../test/platform.ts';

const echo = `require('http').createServer((q, r) => r.end('up')).listen(process.env.PORT)`;

test('a stopped server leaves its agents running and adopts them at the next start', async (t) => {
  const paddock = await startPlatform(t, { PADDOCK_AGENTS_ON_EXIT: 'keep' });
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'kept' });
  const made = await deploy(api, id, {
    'server.js': `const born = Date.now(); require('http').createServer((q, r) => r.end(String(born))).listen(process.env.PORT)`,
  });
  await reaches(api, made.id, ['active']);
  const born = (await paddock.visit('kept.localhost')).body;
  assert.equal(await paddock.stop(), 0);
  assert.match(paddock.output(), /1 agent goes on running and will be adopted/);
  await paddock.boot();
  assert.equal((await paddock.visit('kept.localhost')).body, born, 'the same process answers');
  await api.deployments.stop({ id: made.id });
  await sleep(2000); // the supervisor ends the process
});

test('agents that were ended with the server are back after the next start, even when what was built is gone, and no crash is counted', async (t) => {
  const paddock = await startPlatform(t, { PADDOCK_AGENTS_ON_EXIT: 'stop' });
  const { api } = await paddock.person();
  const [web, worker] = [await api.projects.create({ name: 'back' }), await api.projects.create({ name: 'toiling' })];
  const made = [
    await deploy(api, web.id, { 'server.js': echo }),
    await deploy(api, worker.id, {
      'worker.js': `process.on('SIGTERM', () => process.exit(0)); setInterval(() => console.log('work'), 100)`,
      Procfile: 'worker: node worker.js\n',
    }),
  ];
  for (const { id } of made) await reaches(api, id, ['active']);
  assert.equal(await paddock.stop(), 0);
  await rm(join(paddock.dataDir, 'artifacts'), { recursive: true, force: true });
  await paddock.boot();
  await until('the agent answers again', async () => (await paddock.visit('back.localhost')).body === 'up');
  for (const { id } of made) {
    const after = await reaches(api, id, ['active']);
    assert.equal(after.restarts, 0);
  }
  await until('the worker works again', async () =>
    (await api.logs.list({ id: made[1]!.id, limit: 500 })).logs.some((line) => line.message === 'Running' && line.number > 8),
  );
});
