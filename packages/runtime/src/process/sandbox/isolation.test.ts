import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ownAddresses } from '@paddock/network';
import type { InstanceSpec, RuntimeDriver } from '../../driver.ts';
import { loopbackService, reach, testApp, until } from '../../test/agents.ts';
import { createDriver } from '../../test/sandboxed.ts';
import { run } from '../host/run.ts';
import type { SandboxRecord } from '../records/records.ts';
import { ownPlaces } from './bwrap.ts';

const never = new AbortController().signal;
/** The kernel stops looking up a host on the network after three questions of a second each (ip-sysctl: neigh/default/mcast_solicit). */
const askedTheNetworkMs = 2_500;
const isRoot = process.getuid?.() === 0;
const ownIPv4 = ownAddresses().filter((address) => isIPv4(address));

interface Dialled {
  result: string;
  ms: number;
}

suite('a sandboxed agent', () => {
  let root: string;
  let driver: RuntimeDriver;
  let ask: (path: string) => Promise<unknown>;
  let id: string;
  let neighbour: string;
  let platform: Server;
  let platformPort: number;

  const sh = async (command: string) => (await ask(`/sh?command=${encodeURIComponent(command)}`)) as { code: number; output: string };
  const dial = async (host: string, port: number) => (await ask(`/dial?host=${host}&port=${port}`)) as Dialled;
  const recordOf = (instance: string) =>
    JSON.parse(readFileSync(join(root, 'data/instances', instance, 'instance.json'), 'utf8')) as SandboxRecord;

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'paddock-isolation-'));
    platform = createServer((_, response) => response.end('the platform')).listen(0, '0.0.0.0');
    await until('the listener', () => platform.listening || undefined);
    platformPort = (platform.address() as AddressInfo).port;
    const spec = await testApp(root);
    driver = createDriver(join(root, 'data'));
    const other = spec(['serve'], { env: { SECRET: 'CANARY_neighbour_secret' } });
    neighbour = other.id;
    await driver.start(other, never);
    const own = spec(['serve'], { env: { GREETING: 'hello', SECRET: 'CANARY_own_secret' } });
    id = own.id;
    await driver.start(own, never);
    ask = await reach(driver, id);
    await reach(driver, neighbour);
  });
  after(async () => {
    for (const instance of await driver.list()) {
      await driver.stop(instance.id, 0);
      await driver.remove(instance.id);
    }
    await driver.close();
    platform.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('gets exactly the environment that was given, and the five names without which programs fail', async () => {
    const { PWD: _, ...env } = (await ask('/env')) as Record<string, string>;
    assert.deepEqual(env, {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: '/home/agent',
      TMPDIR: '/tmp',
      LANG: 'C.UTF-8',
      PORT: '8080',
      GREETING: 'hello',
      SECRET: 'CANARY_own_secret',
    });
  });

  test('has no secret of its own on a command line or left in a file of the host', async () => {
    const { code } = await run('grep', ['-rlsa', 'CANARY_own', join(root, 'data')], { accept: [1] });
    assert.equal(code, 1);
    const lines = (await run('sh', ['-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "'], { accept: [1] })).stdout;
    assert.doesNotMatch(lines, /CANARY_(own|neighbour)/);
  });

  test('reaches no service of the host on any of its addresses', async () => {
    const reached = await fetch(`http://127.0.0.1:${platformPort}`);
    assert.equal(reached.status, 200);
    const hosts = ['127.0.0.1', '127.0.0.53', '0.0.0.0', '::1', '::ffff:127.0.0.1', ...ownIPv4];
    for (const host of hosts) {
      const { result, ms } = await dial(host, platformPort);
      assert.match(result, /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, host);
      assert.ok(ms < askedTheNetworkMs, `${host} was refused only after ${ms} ms`);
    }
  });

  test('reaches the service it was given, and that of another by no address or name', async () => {
    const [mine, theirs] = await Promise.all([loopbackService('mine'), loopbackService('theirs')]);
    const withMine = await start(['serve'], { services: [{ port: mine.port }] });
    const withTheirs = await start(['serve'], { services: [{ port: theirs.port }] });
    const question = await reach(driver, withMine);
    const answer = (port: number, by = question) => by(`/ask?host=127.0.0.1&port=${port}`);
    assert.equal(await answer(mine.port), 'mine');
    assert.equal(await question(`/ask?host=localhost&port=${mine.port}`), 'mine');
    assert.equal(await answer(theirs.port, await reach(driver, withTheirs)), 'theirs');
    const ends = [recordOf(withMine), recordOf(withTheirs), recordOf(id)].flatMap(({ network }) =>
      network ? [network.hostAddress, network.address] : [],
    );
    const hosts = ['127.0.0.1', '127.0.0.2', '0.0.0.0', 'localhost', '::1', '::ffff:127.0.0.1', '198.18.0.1', ...ends, ...ownIPv4];
    for (const [by, port] of [
      [ask, mine.port],
      [ask, theirs.port],
      [question, theirs.port],
    ] as const)
      for (const host of hosts) {
        const { result, ms } = (await by(`/dial?host=${host}&port=${port}`)) as Dialled;
        assert.match(result, /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, host);
        assert.ok(ms < askedTheNetworkMs, `${host} was refused only after ${ms} ms`);
      }
    assert.equal(await answer(mine.port), 'mine', 'the services were there all the while');
    // The rules remain while the service is stopped.
    mine.close();
    assert.match(`${await answer(mine.port)}`, /^(ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)$/);
    const again = await loopbackService('mine again', mine.port);
    assert.equal(await answer(mine.port), 'mine again');
    again.close();
    for (const instance of [withMine, withTheirs]) await driver.stop(instance, 0);
    theirs.close();
  });

  test('answers at another port than $PORT, also of its loopback, though it has services', async () => {
    const service = await loopbackService('the service');
    for (const host of ['0.0.0.0', '127.0.0.1']) {
      const instance = await start(['serve', host, '3461'], { services: [{ port: service.port }] });
      const question = await reach(driver, instance);
      assert.equal(await question(`/ask?host=127.0.0.1&port=${service.port}`), 'the service');
      assert.deepEqual(
        (await driver.listening(instance)).map(({ port }) => port),
        [3461],
      );
      await driver.stop(instance, 0);
    }
    service.close();
  });

  test('is not given a service in place of its own port', async () => {
    await assert.rejects(start(['serve'], { services: [{ port: 8080 }] }), /8080 cannot be the port/);
    await assert.rejects(start(['serve'], { services: [{ port: 0 }] }), /0 cannot be the port/);
  });

  test('reaches neither private ranges nor the metadata address: refused at once, before anything leaves', async () => {
    const refused = [
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '198.18.0.1',
      '224.0.0.1',
      'fd00::1',
      '2001:db8::1',
    ];
    for (const host of refused) {
      const { result, ms } = await dial(host, 80);
      assert.match(result, /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES|EADDRNOTAVAIL)$/, host);
      assert.ok(ms < askedTheNetworkMs, `${host} was refused only after ${ms} ms`);
    }
  });

  test('has its refusals counted inside its own network namespace', { skip: !isRoot && 'only root has named namespaces' }, async () => {
    const namespace = recordOf(id).network?.namespace ?? '';
    const counted = async () => {
      const rules = (await run('ip', ['netns', 'exec', namespace, 'nft', 'list', 'chain', 'inet', 'sandbox', 'refused'])).stdout;
      return Number(/counter packets (\d+)/.exec(rules)?.[1]);
    };
    const sent = async () => Number(readFileSync(`/sys/class/net/${recordOf(id).network?.device}/statistics/rx_packets`, 'utf8'));
    const before = await counted();
    await dial('10.9.9.9', 443);
    const received = await sent();
    await dial('10.9.9.9', 443);
    assert.equal(await counted(), before + 2);
    // The request and its response are the only traffic of the second call: no packet goes to the refused address.
    assert.ok((await sent()) - received < 12);
  });

  test('does not reach its neighbour', { skip: !isRoot && "an ordinary user's agents share one address" }, async () => {
    const { host, port } = await driver.expose(neighbour, 8080);
    assert.equal((await fetch(`http://${host}:${port}/`)).status, 200);
    const { result } = await dial(host, port);
    assert.match(result, /^(ECONNREFUSED|EHOSTUNREACH)$/);
  });

  test('sees no files but its own and the system', async () => {
    const places = ownPlaces.map(({ at }) => at);
    const { output } = await sh(
      `ls -A / /home /opt /root /var /tmp /run 2>&1 | grep -vxE "${places.map((at) => at.split('/').at(-1)).join('|')}"`,
    );
    assert.doesNotMatch(output, /work|data|paddock|srv|mnt|boot/);
    assert.equal((await sh(`ls -A ${places.join(' ')} | grep -v ":$" | grep .`)).output, '');
    // A path that is writable by its mode, and does not belong to the agent, must be on a read-only file system.
    const { output: writable } = await sh(
      `find / -xdev -writable -not -type l 2>/dev/null | grep -vE "^(/app|/tmp|/run|/home/agent|${places.join('|')})(/|$)"; echo /usr; echo /opt/node`,
    );
    for (const place of writable.trim().split('\n')) assert.notEqual((await sh(`touch ${place}/x`)).code, 0, place);
    const secret = join(root, 'secret');
    writeFileSync(secret, 'CANARY_file');
    chmodSync(secret, 0o644);
    assert.notEqual((await sh(`cat ${secret}`)).code, 0);
  });

  test('writes where agents made for containers keep their files, and all of it counts as its own', async () => {
    const run = await freshAgent();
    const before = (await run('du -sk /home/agent')).output;
    for (const { at } of ownPlaces) assert.equal((await run(`mkdir ${at}/own && head -c 100000 /dev/zero > ${at}/own/file`)).code, 0, at);
    const grown = Number.parseInt((await run('du -sk /home/agent')).output) - Number.parseInt(before);
    assert.ok(grown >= ownPlaces.length * 97, `${grown} KiB are counted`);
  });

  test('sees no processes but its own', async () => {
    const { output } = await sh(
      'cat /proc/[0-9]*/cmdline | tr "\\0" " "; ls -d /proc/[0-9]* | wc -l; cat /proc/[0-9]*/environ 2>/dev/null',
    );
    assert.doesNotMatch(output, /CANARY_neighbour|supervise|driver\.test|postgres/);
    const shooting = await start([], { command: ['/bin/sh', '-c', 'kill -9 -1; kill -9 1; echo survived; sleep 60'] });
    await until('the shots', () => /survived/.test(readFileSync(driver.output(shooting).stdout, 'utf8')) || undefined);
    assert.equal((await driver.list()).find((instance) => instance.id === neighbour)?.state, 'running');
  });

  test('has no capabilities, cannot gain any, and is under the system call filter', async () => {
    const restarted = await freshAgent();
    const { output } = await restarted('grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status');
    assert.equal([...output.matchAll(/^Cap\w+:\t0+$/gm)].length, 5);
    assert.match(output, /NoNewPrivs:\t1/);
    assert.match(output, /Seccomp:\t2/);
  });

  test('cannot make namespaces, mount, trace, load code into the kernel or write its settings', async () => {
    const run = await freshAgent();
    const commands = [
      'unshare -U true',
      'unshare -n true',
      'mount -t tmpfs none /tmp',
      'chroot / true',
      'echo core > /proc/sys/kernel/core_pattern',
      'echo 1 > /proc/sysrq-trigger',
      'dmesg',
      'mknod /tmp/sda b 8 0',
      'nsenter -t 1 -m true',
      'cat /proc/kcore | head -c 1 | grep -q .',
      'ulimit -c unlimited',
    ];
    for (const command of commands) assert.notEqual((await run(command)).code, 0, command);
    if (existsSync('/usr/bin/python3')) {
      const call = (number: number) =>
        `python3 -c 'import ctypes,sys; sys.exit(0 if ctypes.CDLL(None).syscall(${number},0,0,0,0)>=0 else 7)'`;
      for (const number of process.arch === 'x64' ? [101, 321, 425, 298, 250] : [117, 280, 425, 241, 219]) {
        assert.equal((await run(call(number))).code, 7, `system call ${number}`);
      }
      assert.equal((await run("python3 -c 'import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'")).code, 1);
    }
  });

  test('may open /dev/stdout, /dev/shm and temporary files like any program', async () => {
    const run = await freshAgent();
    assert.deepEqual(await run('echo a > /tmp/a && echo b > /dev/shm/b && echo c > /var/tmp/c && echo d > ~/d && cat /tmp/a'), {
      code: 0,
      output: 'a\n',
    });
    assert.match((await run('id -un; hostname; getent hosts localhost')).output, /^agent\nagent\n127\.0\.0\.1/);
  });

  test('inherits no descriptor from the platform', async () => {
    const instance = await start(['quiet'], { command: ['/bin/sh', '-c', 'ls -l /proc/self/fd; sleep 60'] });
    const text = await until('the listing', () => /3 ->[^\n]*\n$/.exec(readFileSync(driver.output(instance).stdout, 'utf8'))?.input);
    const open = [...text.matchAll(/(\d+) -> (.*)$/gm)].filter(([, number, target]) => Number(number) > 2 && target !== '/dev/null');
    assert.deepEqual(
      open.map(([, , target]) => target?.replace(/\d+/g, 'N')),
      ['/proc/N/fd'],
    );
  });

  async function start(behaviour: string[], change: Partial<InstanceSpec> = {}): Promise<string> {
    const spec = (await testApp(root))(behaviour, change);
    await driver.start(spec, never);
    return spec.id;
  }

  /** A fresh agent's shell. */
  async function freshAgent(): Promise<typeof sh> {
    const instance = await start(['serve']);
    const question = await reach(driver, instance);
    return async (command) => (await question(`/sh?command=${encodeURIComponent(command)}`)) as { code: number; output: string };
  }
});
