import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches, startPlatform, until } from '../../../test/platform.ts';

const agent = {
  'server.js': `const word = (process.env.WORD ?? 'none') + ' ' + process.pid;
require('http').createServer((q, r) => q.resume().on('end', () => r.end(word))).listen(process.env.PORT)`,
};

test('a restart serves until the new process is ready, gives it the variables of today, and finishes requests under way', async (t) => {
  const paddock = await startPlatform(t);
  const { api } = await paddock.person();
  const { id: project_id } = await api.projects.create({ name: 'renewed' });
  const { id } = await reaches(api, (await deploy(api, project_id, agent)).id, ['active']);
  const visit = () => paddock.visit('renewed.localhost');
  const before = (await visit()).body;
  assert.match(before, /^none /);
  assert.equal((await api.deployments.get({ id })).variables_at, null);
  const { variables } = await api.variables.set({ project_id, environment: 'production', variables: [{ key: 'WORD', value: 'today' }] });

  const slow = request({
    ...{ host: '127.0.0.1', port: paddock.gatewayPort, method: 'POST', agent: false },
    headers: { host: 'renewed.localhost', 'transfer-encoding': 'chunked' },
  });
  const answered = once(slow, 'response');
  slow.write('the first half');

  const begun = await api.deployments.restart({ id });
  assert.notEqual(begun.restart_at, null);
  assert.deepEqual([begun.id, begun.status, begun.restarts], [id, 'active', 0]);
  const again = await api.deployments.restart({ id });
  assert.equal(again.restart_at, begun.restart_at, 'a second press begins no second restart');

  const seen = new Set<string>();
  await until('the new process answers', async () => {
    const { status, body } = await visit();
    assert.equal(status, 200);
    seen.add(body);
    return body.startsWith('today ');
  });
  assert.equal(seen.size, 2, [...seen].join());
  await sleep(2500); // without draining it would end within half a second
  slow.end('the second half');
  const [answer] = (await answered) as [IncomingMessage];
  assert.deepEqual([answer.statusCode, Buffer.concat(await answer.toArray()).toString()], [200, before]);

  const done = await api.deployments.get({ id });
  assert.equal(done.variables_at, variables[0]?.updated_at, 'it has the change');
  assert.deepEqual([done.status, done.restart_at, done.restarts, done.is_current], ['active', null, 0, true]);
  const { logs } = await api.logs.list({ id, search: 'Restarting the agent' });
  assert.equal(logs.length, 1);
});

test('only an active deployment of one’s own team is restarted', async (t) => {
  const paddock = await startPlatform(t);
  const [ada, bob] = [await paddock.person(), await paddock.person()];
  const { id: project_id } = await ada.api.projects.create({ name: 'ended' });
  const { id } = await reaches(ada.api, (await deploy(ada.api, project_id, agent)).id, ['active']);
  await assert.rejects(bob.api.deployments.restart({ id }), { code: 'deployment_not_found' });
  await ada.api.deployments.stop({ id });
  await assert.rejects(ada.api.deployments.restart({ id }), { code: 'deployment_not_active' });
});
