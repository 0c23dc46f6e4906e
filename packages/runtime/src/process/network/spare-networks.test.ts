import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { InstanceSpec } from '../../driver.ts';
import { processDriver } from '../../index.ts';
import { loopbackService, reach, testApp, until } from '../../test/agents.ts';
import { log } from '../../test/sandboxed.ts';
import { thisHost } from '../host/host.ts';
import { run } from '../host/run.ts';
import { descendants, isAlive, ownIdentity } from '../proc/processes.ts';
import { sandboxFolder } from '../records/records.ts';
import { startInstance } from '../start/start-instance.ts';
import { listNetworks } from './slots.ts';
import { spareNetworks, spareState } from './spare-networks.ts';

const never = new AbortController().signal;
const isRoot = process.getuid?.() === 0;

suite('networks made ahead of need', { skip: !isRoot && 'only root makes networks' }, () => {
  let root: string;
  before(() => (root = mkdtempSync(join(tmpdir(), 'paddock-spares-'))));
  after(() => rmSync(root, { recursive: true, force: true }));

  const options = (name: string) => ({ dataDir: join(root, name), installation: 'spares', log });
  const tagOf = (name: string) => thisHost(options(name)).tag;
  const sparesOf = (tag: string) => listNetworks(tag).filter(({ owner }) => spareState(owner));
  const slots = (list: { network: { slot: number } }[]) => list.map(({ network }) => network.slot);
  const rulesIn = async (namespace = '') =>
    (await run('nsenter', [`--net=/run/netns/${namespace}`, 'nft', 'list', 'table', 'inet', 'sandbox'])).stdout;

  /** A driver and its parts, so that its spares can be counted. */
  async function scene(name: string, { allow = [], ports = [] }: { allow?: string[]; ports?: number[] } = {}) {
    const host = thisHost(options(name));
    const spares = spareNetworks(host, { egress: { allow }, count: 2, ports: async () => ports }, Promise.resolve());
    const driver = processDriver(options(name));
    const folderOf = (id: string) => sandboxFolder(join(root, name, 'instances'), id);
    mkdirSync(join(root, name, 'instances'), { recursive: true });
    return {
      tag: host.tag,
      spares,
      driver,
      full: async () => {
        await until('two spare networks', () => spares.ready() === 2 || undefined);
        return slots(sparesOf(host.tag));
      },
      start: (wanted: InstanceSpec) => startInstance(host, folderOf(wanted.id), { spec: wanted, signal: never, spares }),
      async end(id: string) {
        await driver.stop(id, 0);
        await driver.remove(id);
      },
      async close() {
        await spares.close();
        await driver.close();
        assert.deepEqual(listNetworks(host.tag), []);
        assert.equal((await run('nft', ['list', 'table', 'inet', `paddock_${host.tag}`], { accept: [1] })).code, 1);
      },
    };
  }

  test('are each used once, by one instance, with its rules in force, and made again', async () => {
    const { tag, driver, full, start, end, close } = await scene('once');
    const spec = await testApp(root);
    const used = new Set<number>();
    for (let round = 0; round < 2; round++) {
      const ready = await full();
      assert.ok(ready.every((slot) => !used.has(slot)));
      const records = await Promise.all([spec(['serve']), spec(['serve'])].map(start));
      assert.deepEqual(new Set(records.map(({ network }) => network?.slot)), new Set(ready));
      for (const { id, network, uid } of records) {
        assert.equal(listNetworks(tag).find((one) => one.network.slot === network?.slot)?.owner, id);
        assert.equal(uid, 1_900_000_000 + (network?.slot ?? 0));
        assert.match(await rulesIn(network?.namespace), /10\.0\.0\.0\/8/);
        assert.ok(await (await reach(driver, id))('/'));
      }
      for (const { id, network } of records) {
        await end(id);
        used.add(network?.slot ?? 0);
        assert.equal(existsSync(`/run/netns/${network?.namespace}`), false);
      }
    }
    await close();
  });

  test('have a table of connections of their own, so that a look at their ports does not walk the table of the whole machine', async (t) => {
    if (!existsSync('/proc/sys/net/ipv4/tcp_child_ehash_entries')) return t.skip('Linux 6.1 has tables by namespace');
    const { driver, full, start, end, close } = await scene('tables');
    const spec = await testApp(root);
    await full();
    const { id, network } = await start(spec(['serve']));
    const inside = [`--net=/run/netns/${network?.namespace}`, 'cat', '/proc/sys/net/ipv4/tcp_ehash_entries'];
    assert.equal((await run('nsenter', inside)).stdout.trim(), '1024');
    assert.ok(await (await reach(driver, id))('/'));
    await end(id);
    await close();
  });

  test('serve an instance with services, too, which go with it', async () => {
    const { tag, driver, full, start, end, close } = await scene('services');
    const spec = await testApp(root);
    const ready = await full();
    const services = await Promise.all(['one', 'two'].map((name) => loopbackService(name)));
    const { id, network } = await start(spec(['serve'], { services: services.map(({ port }) => ({ port })) }));
    assert.ok(ready.includes(network?.slot ?? 0));
    const ask = await reach(driver, id);
    const said = await Promise.all(services.map(({ port }) => ask(`/ask?host=127.0.0.1&port=${port}`)));
    assert.deepEqual(said, ['one', 'two']);
    const table = async () => (await run('nft', ['list', 'table', 'inet', `paddock_${tag}_${network?.slot}`], { accept: [1] })).stdout;
    assert.match(await table(), /tcp dport \d+ dnat/);
    assert.doesNotMatch(await table(), /udp/);
    await end(id);
    assert.equal(await table(), '');
    for (const service of services) service.close();
    await close();
  });

  test('have the ports open that every instance finds, and are not used for one that may not find them', async () => {
    const [every, own] = await Promise.all(['every', 'own'].map((name) => loopbackService(name)));
    const { driver, full, start, end, close } = await scene('ports', { ports: [every!.port] });
    const spec = await testApp(root);
    const ready = await full();
    const { id, network } = await start(spec(['serve'], { services: [{ port: every!.port }, { port: own!.port }] }));
    assert.ok(ready.includes(network?.slot ?? 0));
    const ask = await reach(driver, id);
    const said = await Promise.all([every!, own!].map(({ port }) => ask(`/ask?host=127.0.0.1&port=${port}`)));
    assert.deepEqual(said, ['every', 'own']);
    await end(id);
    const left = await full();
    const other = await start(spec(['serve'], { services: [{ port: own!.port }] }));
    assert.ok(!left.includes(other.network?.slot ?? 0));
    const asked = await reach(driver, other.id);
    assert.equal(await asked(`/ask?host=127.0.0.1&port=${own!.port}`), 'own');
    assert.notEqual(await asked(`/ask?host=127.0.0.1&port=${every!.port}`), 'every');
    await end(other.id);
    for (const service of [every!, own!]) service.close();
    await close();
  });

  test('are not used for an instance that may reach something else', async () => {
    const { full, start, end, close } = await scene('other', { allow: ['10.1.0.0/16'] });
    const spec = await testApp(root);
    const ready = await full();
    const { id, network } = await start(spec(['serve'], { egress: { allow: [] } }));
    assert.ok(!ready.includes(network?.slot ?? 0));
    assert.doesNotMatch(await rulesIn(network?.namespace), /10\.1\.0\.0/);
    await end(id);
    await close();
  });

  test('are not used when somebody took them apart', async () => {
    const { tag, full, start, end, close } = await scene('broken');
    const spec = await testApp(root);
    const ready = await full();
    for (const { network } of sparesOf(tag)) await run('ip', ['link', 'delete', network.device]);
    const { id, network } = await start(spec(['serve']));
    assert.ok(!ready.includes(network?.slot ?? 0));
    await end(id);
    await close();
  });

  const module = new URL('../../index.ts', import.meta.url).href;
  for (const [when, has] of [
    ['the slot is taken', () => true],
    ['the namespace is there', (tag: string) => namesIn('/run/netns', `paddock-${tag}-`) > 0],
    ['its link is there', (tag: string) => namesIn('/sys/class/net', `p${tag}-`) > 0],
    ['one is ready and the next is being made', (tag: string) => sparesOf(tag).length > 1],
  ] as const) {
    test(`leave nothing when their server is killed as soon as ${when} and another starts`, async () => {
      const name = `killed-${when.replaceAll(' ', '-')}`;
      const tag = tagOf(name);
      const settings = JSON.stringify({ ...options(name), spares: { count: 2, egress: { allow: [] } } });
      const code = `const { processDriver } = await import(${JSON.stringify(module)});
        processDriver({ ...${settings}, log: { info() {}, warn() {}, error() {} } }); setInterval(() => undefined, 1000);`;
      const server = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'inherit', 'inherit'] });
      await until('the moment', () => (sparesOf(tag).length > 0 && has(tag)) || undefined);
      server.kill('SIGSTOP');
      const tools = descendants(server.pid ?? 0);
      server.kill('SIGKILL');
      await once(server, 'exit');
      assert.ok(sparesOf(tag).every(({ owner }) => spareState(owner) === 'left'));
      await until('the end of its tools', () => !tools.some(isAlive) || undefined);
      await processDriver(options(name)).close();
      assert.deepEqual(listNetworks(tag), []);
      assert.equal(namesIn('/run/netns', `paddock-${tag}-`) + namesIn('/sys/class/net', `p${tag}-`), 0);
    });
  }

  test('stay with a server that lives while another one of the same folder starts', async () => {
    const { tag, full, close } = await scene('living');
    const before = await full();
    await processDriver(options('living')).close();
    assert.deepEqual(slots(sparesOf(tag)), before);
    await close();
  });

  test('that a driver keeps are used by its starts', async () => {
    const driver = processDriver({ ...options('told'), spares: { count: 1, egress: { allow: [] } } });
    const spec = await testApp(root);
    const tag = tagOf('told');
    await until('a spare network', () => sparesOf(tag).length || undefined);
    const [spare] = slots(sparesOf(tag));
    // The first start may come before the network is made; the second does not.
    const used: (number | undefined)[] = [];
    await until('a start with it', async () => {
      const { id } = await driver.start(spec(['serve']), never);
      used.push(listNetworks(tag).find(({ owner }) => owner === id)?.network.slot);
      await driver.stop(id, 0);
      await driver.remove(id);
      return used.includes(spare) || undefined;
    });
    await driver.close();
    assert.deepEqual(listNetworks(tag), []);
  });

  test('are known as such by their owner only', () => {
    const { pid, start } = ownIdentity();
    assert.equal(spareState(`spare.${pid}.${start}`), 'kept');
    assert.equal(spareState(`spare.${pid}.${start + 1}`), 'left');
    for (const id of [undefined, '', 'ins-1-2', 'spare-1-2', `x.spare.${pid}.${start}`]) assert.equal(spareState(id), undefined);
  });
});

const namesIn = (folder: string, prefix: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(prefix)).length : 0;
