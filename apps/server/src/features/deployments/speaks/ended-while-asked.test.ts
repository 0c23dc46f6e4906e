import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deploy, reaches, startPlatform, until } from '../../../../test/platform.ts';

test('an agent that a question of Paddock ends is started again, does not fail by it, and is not asked any more', async (t) => {
  const paddock = await startPlatform(t, { PADDOCK_TRIAL_S: '60' });
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'shy' });
  const made = await deploy(api, id, {
    'server.js': `require('http').createServer((q, r) => {
      console.log('asked for ' + q.url);
      if (q.url === '/ping') process.exit(3);
      r.end('up');
    }).listen(process.env.PORT)`,
  });
  await reaches(api, made.id, ['active']);
  const lines = async (text: string) => (await api.logs.list({ id: made.id })).logs.filter(({ message }) => message.includes(text)).length;
  await until('it was asked', async () => (await lines('ended while Paddock asked')) === 1);
  await until('it answers again', async () => (await paddock.visit('shy.localhost')).body === 'up');
  const { status, restarts } = await api.deployments.get({ id: made.id });
  assert.deepEqual([status, restarts], ['active', 0]);
  assert.equal(await lines('asked for /ping'), 1);
});
