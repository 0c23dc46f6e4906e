import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../../../scripts/test/free-port.ts';
import { until } from '../../test/platform.ts';
import { testDatabase } from '../../test/postgres.ts';
import { type Config, readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { StartRefused } from '../process/start-refused.ts';
import { ownGateways } from './own-gateways.ts';
import { checkHealth } from './spawn-gateway.ts';
import { startGatewayProcess } from './start-gateway.ts';

async function place(t: TestContext, givenPort?: number) {
  const { url, drop } = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'paddock-gateway-'));
  const port = givenPort ?? (await freePort());
  const settings = {
    PADDOCK_DATA_DIR: dataDir,
    PADDOCK_GATEWAY_PORT: String(port),
    PADDOCK_GATEWAY_PROCESSES: '1',
    PADDOCK_LOG_LEVEL: 'info',
    PATH: process.env.PATH,
  };
  const config: Config = readConfig({ ...settings, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE });
  const own = ownGateways(dataDir);
  const alone = async () => own.living().length === 1;
  const started: { close: () => Promise<void> }[] = [];
  // An unclosed server would restart its gateway for as long as this process lives, so nothing that may fail comes before this.
  t.after(async () => {
    await Promise.all(started.map((gateway) => gateway.close()));
    for (const { pid } of own.living()) end(pid);
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const answering = async () => Number((await checkHealth(config, 1000)) || 0);
  const begin = () => startGatewayProcess(config, { databaseUrl: url, auditTokenKey: randomBytes(32) }, createLog('silent'));
  return {
    ...{ dataDir, port, own, alone, answering, begin },
    async start() {
      const gateway = begin();
      await gateway.takeOver();
      started.push(gateway);
      return gateway;
    },
    async killed(): Promise<number> {
      const pid = await answering();
      if (!pid) throw new Error('no gateway answers'); // a signal to 0 would be for this process as well
      process.kill(pid, 'SIGKILL');
      return pid;
    },
  };
}

function end(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has exited meanwhile
  }
}

test('a gateway whose start cannot be noted is watched all the same, and none is left unknown', async (t) => {
  const { dataDir, start, killed, answering, alone } = await place(t);
  await start();
  // Makes the note unwritable, as a full disk does.
  const inTheWay = join(dataDir, 'gateway.json.new');
  mkdirSync(inTheWay);
  for (let n = 0; n < 2; n++) {
    const before = await killed();
    await until('another gateway answers', async () => ![0, before].includes(await answering()));
    await until('one gateway runs', alone);
  }
  rmdirSync(inTheWay);
});

test('a gateway whose log is on a full disk serves and comes back', async (t) => {
  const { dataDir, start, killed, answering, alone } = await place(t);
  symlinkSync('/dev/full', join(dataDir, 'gateway.log'));
  await start();
  const before = await killed();
  await until('another gateway answers', async () => ![0, before].includes(await answering()));
  await until('one gateway runs', alone);
});

test('a gateway of a server that was killed is found without its note, and leaves', async (t) => {
  const { dataDir, start, answering, alone } = await place(t);
  await start();
  const before = await answering();
  rmSync(join(dataDir, 'gateway.json'));
  await start();
  await until('the first one has left', async () => (await alone()) && (await answering()) !== before);
});

test('a server that cannot start leaves the gateway of the run before in its place, where it can be found', async (t) => {
  const { own, start, begin, answering, alone } = await place(t);
  await start();
  const before = await answering();
  const gateway = begin();
  await until('two gateways run', async () => own.living().length === 2);
  await gateway.close();
  await until('the new one has left', alone);
  assert.equal(await answering(), before);
  assert.deepEqual(
    own.living().map(({ pid }) => pid),
    [before],
  );
});

test('a gateway that cannot be started is tried again for as long as it takes', async (t) => {
  const { port, start, killed, answering, alone } = await place(t);
  await start();
  await killed();
  const other = createServer((socket) => socket.destroy());
  await until('the port is taken by somebody else', async () => {
    other.listen(port, '127.0.0.1');
    return await once(other, 'listening').then(
      () => true,
      async () => (await killed().catch(() => undefined), false),
    );
  });
  await new Promise((resolve) => setTimeout(resolve, 3000)); // several starts fail
  assert.equal(await answering(), 0);
  other.close();
  await until('the gateway answers', async () => (await answering()) > 0);
  await until('one gateway runs', alone);
});

const refusal = (port: number) => (error: Error) => {
  assert.ok(error instanceof StartRefused, String(error));
  assert.match(
    error.message,
    new RegExp(`^Port ${port} is in use by process \\d+ \\(node .*\\)\\. .* another port with PADDOCK_GATEWAY_PORT\\.$`),
  );
  return true;
};

test('a second installation on the port of a first one does not start, and says who has the port', async (t) => {
  const first = await place(t);
  await first.start();
  const serving = await first.answering();
  const second = await place(t, first.port);
  await assert.rejects(second.start(), refusal(first.port));
  assert.deepEqual(second.own.living(), []);
  for (let n = 0; n < 60; n++) assert.equal(await first.answering(), serving);
});

test('of two installations that start on one port at the same moment, one serves', async (t) => {
  const first = await place(t);
  const second = await place(t, first.port);
  const starts = await Promise.allSettled([first.start(), second.start()]);
  const refused = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason as Error] : []));
  assert.equal(refused.length, 1);
  refusal(first.port)(refused[0]!);
  const [serving, other] = starts[0].status === 'fulfilled' ? [first, second] : [second, first];
  assert.deepEqual([serving.own.living().length, other.own.living().length], [1, 0]);
});
