import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listenersOn, portTakenMessage } from './listeners.ts';

const skip = process.platform === 'linux' ? false : 'needs /proc';

async function listener(t: TestContext, host: string) {
  const server = createServer().listen(0, host);
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('the process that listens on a port is found, with its program', { skip }, async (t) => {
  for (const host of ['127.0.0.1', '::1', '0.0.0.0', '::']) {
    const port = await listener(t, host);
    assert.deepEqual(listenersOn({ host, port }), [{ pids: [process.pid] }]);
    const message = portTakenMessage({ host, port, setting: 'PADDOCK_PORT' });
    assert.match(
      message,
      new RegExp(`^Port ${port} is in use by process ${process.pid} \\(node .*\\)\\. .*another port with PADDOCK_PORT\\.$`),
    );
  }
});

test('a listener is in the way on its own address and on the address of all, and not beside another address', { skip }, async (t) => {
  const port = await listener(t, '127.0.0.2');
  const isInTheWay = (host: string) => listenersOn({ host, port }).length > 0;
  assert.deepEqual(['127.0.0.2', '0.0.0.0', '::', 'localhost', '127.0.0.1', '::1'].map(isInTheWay), [true, true, true, true, false, false]);
});

test('a port that nobody listens on has no listener', { skip }, async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  assert.deepEqual(listenersOn({ host: '127.0.0.1', port }), []);
});
