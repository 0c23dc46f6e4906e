import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../process/host/run.ts';
import { words } from '../process/sandbox/bwrap.ts';

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
/** An ordinary user without an entry anywhere. */
const USER = 4_321;

/**
 * A separate machine with a network behind it. At 203.0.113.8 to .11 a server responds with the address of the request. The first is also a
 * name server for which every name is .9, and it keeps connections open at port 81. The server ends with the machine, whose processes are
 * not renumbered, because pasta does not work below that. /dev/net/tun is as most systems have it, for agents of an ordinary user.
 */
const MACHINE = `
umount --recursive --lazy /sys
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
if mount -t tmpfs tmpfs /dev/net; then mknod -m 0666 /dev/net/tun c 10 200; fi
ip link set lo up
ip link add outside type veth peer name beyond
ip addr add 203.0.113.7/24 dev outside
ip link set outside up
ip route add default via 203.0.113.8
ip netns add beyond
ip link set beyond netns beyond
for host in 8 9 10 11; do ip -n beyond addr add 203.0.113.$host/24 dev beyond; done
ip -n beyond link set lo up
ip -n beyond link set beyond up
ip netns exec beyond "$1" -e "$2" $$ >/dev/null 2>&1 &
shift 2
exec "$@"
`;

const BEYOND = `
const { createServer } = require('node:http');
createServer((_, answer) => answer.setHeader('connection', 'close').end(answer.socket.localAddress)).listen(80, '0.0.0.0');
createServer((_, answer) => answer.end(answer.socket.localAddress)).listen(81, '0.0.0.0');
const ear = require('node:dgram').createSocket('udp4');
ear.on('message', (asked, from) => {
  const answer = Buffer.concat([asked.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]), asked.subarray(12, asked.indexOf(0, 12) + 5)]);
  ear.send(Buffer.concat([answer, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 203, 0, 113, 9])]), from.port, from.address);
}).bind(53, '203.0.113.8');
setInterval(() => { try { process.kill(Number(process.argv[1]), 0); } catch { process.exit(); } }, 200);
`;

/** Variables for the code that runs there, besides `root`, a folder that is removed afterwards. */
const AROUND = (root: string) => `
  const root = ${JSON.stringify(root)};
  const { processDriver } = await import(${url('../index.ts')});
  const { reach, testApp, until } = await import(${url('./agents.ts')});
  const { testNameServer } = await import(${url('./name-server.ts')});
  const { run } = await import(${url('../process/host/run.ts')});
  const names = await testNameServer({ 'good.test': ['203.0.113.8'], 'bad.test': ['203.0.113.9'], 'www.good.test': 'bad.test' }, { tcp: ['www.good.test'] });
  const log = { info() {}, warn: console.error, error: console.error };
  const newDriver = () => processDriver({ dataDir: root + '/agents', installation: 'test', nameServers: () => [names], log });
  const only = (...hosts) => [{ effect: 'only', hosts }];
  const never = (...hosts) => [{ effect: 'never', hosts }];
  const specOf = await testApp(root);
  /** Asks the agent to call each host: the address that answered, or why none did. */
  const calling = async (driver, id) => {
    const ask = await reach(driver, id);
    const call = async (host) => await ask('/ask?port=' + (host.split(':')[1] ?? 80) + '&host=' + host.split(':')[0]);
    return { ask, all: async (...hosts) => { const said = []; for (const host of hosts) said.push(await call(host)); return said; } };
  };
  const end = async (driver, id) => { await driver.stop(id, 0); await driver.remove(id); await driver.close(); };
`;

/** Runs a module there, as root or as an ordinary user, and returns the result of its default function. */
export async function inHostWorld(work: string, as: 'root' | 'user' = 'root'): Promise<unknown> {
  const root = mkdtempSync(join(tmpdir(), 'paddock-hosts-'));
  try {
    if (as === 'user') chownSync(root, USER, USER);
    const code = `${AROUND(root)}
      try {
        console.log(JSON.stringify(await (async () => {${work}})()));
      } finally {
        const driver = newDriver();
        for (const { id } of await driver.list()) await driver.stop(id, 0);
      }
      process.exit();`;
    const user = as === 'user' ? words(`setpriv --reuid ${USER} --regid ${USER} --clear-groups --inh-caps=-all`) : [];
    const machine = [...words('--net --mount sh -euc'), MACHINE, 'sh', process.execPath, BEYOND];
    const { stdout } = await run('unshare', [...machine, ...user, process.execPath, '--input-type=module', '--eval', code], {
      timeoutMs: 60_000,
    });
    return JSON.parse(stdout);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
