import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startPlatform } from '../../test/platform.ts';

async function takenPort(t: TestContext) {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  return (other.address() as AddressInfo).port;
}

for (const setting of ['PADDOCK_PORT', 'PADDOCK_GATEWAY_PORT'])
  test(`a server whose ${setting} another program has does not start, and names the port, the program and the setting`, async (t) => {
    const port = await takenPort(t);
    const holder = `process ${process.pid} \\(node .*\\)`;
    await assert.rejects(
      startPlatform(t, { [setting]: String(port) }),
      new RegExp(`ended with 1:[^]*Paddock does not start\\. Port ${port} is in use by ${holder}\\. .* another port with ${setting}\\.`),
    );
  });
