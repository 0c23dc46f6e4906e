import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listenersOn, portRefusedMessage, portTakenMessage } from './listeners.ts';

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

test('a port that the system refuses, and an address of another machine, are named with the way out', async () => {
  const refused = portRefusedMessage({ code: 'EACCES', syscall: 'listen' }, { host: '127.0.0.1', port: 80, setting: 'PADDOCK_PORT' });
  assert.match(refused ?? '', /^Port 80 is for programs with more rights .* higher port with PADDOCK_PORT, .*reverse proxy.*setcap/);
  const [error] = (await once(createServer().listen(0, '192.0.2.1'), 'error', { signal: AbortSignal.timeout(5000) }).catch(
    (cause: unknown) => [cause],
  )) as [Error];
  assert.match(portRefusedMessage(error, { host: '192.0.2.1', port: 80, setting: 'PADDOCK_PORT' }) ?? '', /has no address 192\.0\.2\.1/);
  assert.equal(
    portRefusedMessage({ code: 'EACCES', syscall: 'open' }, { host: '127.0.0.1', port: 80, setting: 'PADDOCK_PORT' }),
    undefined,
  );
});
