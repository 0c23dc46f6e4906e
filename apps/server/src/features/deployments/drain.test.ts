import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy, reaches, startPlatform, until } from '../../../test/platform.ts';

const agent = (text: string) => ({
  'server.js': `require('http').createServer((q, r) => q.resume().on('end', () => r.end('${text}'))).listen(process.env.PORT)`,
});

test('a request that is under way when a new version takes over is answered by the one where it began', async (t) => {
  const paddock = await startPlatform(t);
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name: 'drained' });
  await reaches(api, (await deploy(api, id, agent('one'))).id, ['active']);
  const slow = request({
    ...{ host: '127.0.0.1', port: paddock.gatewayPort, method: 'POST', agent: false },
    headers: { host: 'drained.localhost', 'transfer-encoding': 'chunked' },
  });
  const answered = once(slow, 'response');
  slow.write('the first half');
  await reaches(api, (await deploy(api, id, agent('two'))).id, ['active']);
  await until('the new one answers', async () => (await paddock.visit('drained.localhost')).body === 'two');
  await sleep(2500); // without draining it would end within half a second
  slow.end('the second half');
  const [answer] = (await answered) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray()).toString();
  assert.deepEqual([answer.statusCode, body], [200, 'one']);
});
