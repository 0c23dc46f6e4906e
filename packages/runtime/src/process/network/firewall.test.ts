import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { onMachineOfItsOwn } from '../../test/machine.ts';

const isRoot = process.getuid?.() === 0;
const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Rules of a firewall that drops everything that is not explicitly allowed. */
const STRICT = `table ip filter {
  chain INPUT { type filter hook input priority filter; policy drop; iifname "lo" accept; ct state established accept; }
  chain FORWARD { type filter hook forward priority filter; policy drop; }
}`;

suite("the machine's own rules", { skip: !isRoot && 'only root has a network of the machine to filter' }, () => {
  let root: string;
  before(() => (root = mkdtempSync(join(tmpdir(), 'paddock-firewall-'))));
  after(() => rmSync(root, { recursive: true, force: true }));

  test('that drop by default keep no agent from its services, and are as before when the last agent has gone', async () => {
    const code = `
      const { createDriver } = await import(${url('../../test/sandboxed.ts')});
      const { loopbackService, reach, testApp } = await import(${url('../../test/agents.ts')});
      const { run } = await import(${url('../host/run.ts')});
      const firewall = async () => (await run('nft', ['list', 'table', 'ip', 'filter'])).stdout;
      const before = await firewall();
      const [given, other] = [await loopbackService('given'), await loopbackService('other')];
      const driver = createDriver(${JSON.stringify(join(root, 'agents'))});
      const spec = (await testApp(${JSON.stringify(root)}))(['serve'], { services: [{ port: given.port }] });
      await driver.start(spec, new AbortController().signal);
      const ask = await reach(driver, spec.id);
      const said = [];
      for (const { port } of [given, other]) said.push(await ask('/ask?host=127.0.0.1&port=' + port));
      await driver.stop(spec.id, 0);
      await driver.remove(spec.id);
      await driver.close();
      console.log(JSON.stringify({ said, unchanged: (await firewall()) === before }));
      process.exit();`;
    assert.deepEqual(await onMachineOfItsOwn(code, STRICT), { said: ['given', 'ECONNREFUSED'], unchanged: true });
  });

  /** The service has to connect to a listener at each of these addresses, and to send it a datagram. */
  const hosts = ['127.0.0.1', '127.0.0.53', '203.0.113.7', 'localhost', '::1', '::ffff:127.0.0.1'];

  test('refuse the connections and packets that a service begins, while a service exists, and nothing else', async () => {
    const mounts = [
      { from: dirname(dirname(process.execPath)), at: '/opt/node' },
      { from: join(import.meta.dirname, '../../fixtures'), at: '/programs' },
    ];
    const code = `
      const { serviceRunner } = await import(${url('../../index.ts')});
      const { LIMITS, NODE, loopbackService, until } = await import(${url('../../test/agents.ts')});
      const { run } = await import(${url('../host/run.ts')});
      const { createSocket } = await import('node:dgram');
      const { createServer } = await import('node:net');
      const log = { info() {}, warn() {}, error() {} };
      const listener = createServer((socket) => socket.end()).listen(0, '::');
      await until('listening', () => listener.listening);
      const ear = createSocket('udp4');
      let heard = 0;
      ear.on('message', () => heard++).bind(0, '127.0.0.1');
      await until('bound', () => { try { return ear.address().port; } catch { return undefined; } });
      const spec = (id, port, user) => ({ id, user, command: [NODE, '/programs/service.mjs', String(port)], env: {}, cwd: '/tmp',
        mounts: ${JSON.stringify(mounts)}, limits: LIMITS, stop_signal: 'SIGTERM' });
      const runner = serviceRunner({ dataDir: ${JSON.stringify(join(root, 'services'))}, installation: 'test', log });
      const ask = (port, question) => fetch('http://127.0.0.1:' + port + question).then((answer) => answer.json()).then(({ answer }) => answer, () => undefined);
      const tables = async () => (await run('nft', ['list', 'tables'])).stdout.split('\\n').filter((line) => /_services/.test(line)).length;
      const dials = async (port) => {
        const said = [];
        for (const host of ${JSON.stringify(hosts)}) said.push(await ask(port, '/dial?host=' + host + '&port=' + listener.address().port));
        await ask(port, '/datagram?host=127.0.0.1&port=' + ear.address().port);
        return said;
      };
      for (const [id, port, user] of [['one', 20001, 1], ['two', 20002, 65535]]) {
        await runner.start(spec(id, port, user), new AbortController().signal);
        await until('an answer', () => ask(port, '/'));
      }
      const refused = [await dials(20001), await dials(20002)];
      const during = await tables();
      await runner.stop('one', 2000);
      const still = [await dials(20002), heard];
      await run('nft', ['flush', 'ruleset']);
      const open = await dials(20002);
      await until('the datagram', () => heard === 1 || undefined);
      await serviceRunner({ dataDir: ${JSON.stringify(join(root, 'services'))}, installation: 'test', log }).close();
      const again = await dials(20002);
      await runner.stop('two', 2000);
      const later = await tables();
      console.log(JSON.stringify({ refused, during, still, open, again, later }));
      process.exit();`;
    const [no, yes] = [hosts.map(() => 'ECONNREFUSED'), hosts.map(() => 'connected')];
    assert.deepEqual(await onMachineOfItsOwn(code), {
      refused: [no, no],
      during: 1,
      still: [no, 0],
      later: 0,
      open: yes, // open without the rules, so the rules closed it
      again: no, // the next server has restored them
    });
  });
});
