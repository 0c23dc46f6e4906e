import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { RuntimeDriver } from '../../driver.ts';
import { processDriver } from '../../index.ts';
import { exited, processesWith, reach, testApp, until } from '../../test/agents.ts';
import { createDriver, log } from '../../test/sandboxed.ts';
import { thisHost } from '../host/host.ts';
import { run } from '../host/run.ts';
import { createCgroup, removeCgroup } from '../limits/cgroup.ts';
import { listCgroups } from '../limits/cgroup-root.ts';
import { createNetwork, removeNetwork } from '../network/host-network.ts';
import { allocateSlot, listNetworks } from '../network/slots.ts';
import { readSupervisor, type SandboxRecord, sandboxFolder } from '../records/records.ts';

const never = new AbortController().signal;
const isRoot = process.getuid?.() === 0;

suite('after something went wrong', () => {
  let root: string;
  let dataDir: string;
  let driver: RuntimeDriver;
  let spec: Awaited<ReturnType<typeof testApp>>;

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'paddock-recovery-'));
    dataDir = join(root, 'data');
    spec = await testApp(root);
    driver = createDriver(dataDir);
  });
  after(async () => {
    for (const { id } of await driver.list()) {
      await driver.stop(id, 0);
      await driver.remove(id);
    }
    await driver.close();
    rmSync(root, { recursive: true, force: true });
  });

  const folderOf = (id: string) => sandboxFolder(join(dataDir, 'instances'), id);
  const recordOf = (id: string) => JSON.parse(readFileSync(folderOf(id).record, 'utf8')) as SandboxRecord;

  test('an instance whose supervisor was killed is ended as a whole and reported as exited', async () => {
    const token = `token-${process.pid}-${Date.now()}`;
    const wanted = spec(['spawner', token]);
    await driver.start(wanted, never);
    await until('the background process', () => processesWith(token).length > 1 || undefined);
    const supervisor = readSupervisor(folderOf(wanted.id));
    assert.ok(supervisor);
    process.kill(supervisor.pid, 'SIGKILL');
    const exit = await exited(driver, wanted.id);
    assert.deepEqual([exit.code, exit.signal], [null, null]);
    await until('the end of all', () => processesWith(token).length === 0 || undefined);
  });

  test('after a reboot of the machine every instance has exited', async () => {
    const wanted = spec(['exit', '0']);
    await driver.start(wanted, never);
    await until('the end', () => existsSync(folderOf(wanted.id).status) || undefined);
    // A record of another boot: its process numbers are meaningless, although processes with these numbers may run.
    writeFileSync(folderOf(wanted.id).record, JSON.stringify({ ...recordOf(wanted.id), id: wanted.id, boot: 'another' }));
    writeFileSync(folderOf(wanted.id).supervisor, readFileSync(`/proc/${process.pid}/stat`));
    rmSync(folderOf(wanted.id).status);
    const next = createDriver(dataDir);
    const found = (await next.list()).find((instance) => instance.id === wanted.id);
    assert.equal(found?.state, 'exited');
    await next.close();
    const { network, cgroup } = recordOf(wanted.id); // a reboot would have removed them
    if (cgroup) await removeCgroup(cgroup);
    if (network) await removeNetwork(thisHost({ dataDir, installation: 'test', log }).tag, network, wanted.id);
  });

  test('an end that could not be noted is noted as soon as there is a way, and what it held is given back', async () => {
    const wanted = spec(['serve']);
    await driver.start(wanted, never);
    const room = `${folderOf(wanted.id).exit}.room`;
    rmSync(room);
    mkdirSync(room); // nobody can write to it, not even root
    await driver.stop(wanted.id, 0);
    await exited(driver, wanted.id);
    assert.equal(existsSync(folderOf(wanted.id).exit), false);
    rmSync(room, { recursive: true });
    await exited(driver, wanted.id);
    assert.equal(existsSync(folderOf(wanted.id).exit), true);
    const { network, cgroup } = recordOf(wanted.id);
    if (network) assert.equal(existsSync(`/run/netns/${network.namespace}`), false);
    if (cgroup) assert.equal(existsSync(cgroup.folders.pids), false);
  });

  test('a start that was cut off by the death of its server can be repeated under the same id', async () => {
    const wanted = spec(['serve']);
    mkdirSync(folderOf(wanted.id).path, { recursive: true });
    const half = {
      id: wanted.id,
      deployment_id: 'd',
      generation: 1,
      mode: isRoot ? 'root' : 'user',
      boot: 'this',
      starter: { pid: 1, start: 1 },
    };
    writeFileSync(folderOf(wanted.id).record, JSON.stringify(half));
    await driver.start(wanted, never);
    const ask = await reach(driver, wanted.id);
    assert.ok(await ask('/'));
    await driver.stop(wanted.id, 0);
  });

  test("what a crash left of ours is removed, what is another installation's stays", {
    skip: !isRoot && 'only root makes networks',
  }, async () => {
    const ours = thisHost({ dataDir, installation: 'test', log });
    const others = thisHost({ dataDir, installation: 'another', log });
    const limits = spec(['serve']).limits;
    const made = [];
    for (const host of [ours, others]) {
      const network = allocateSlot(host.tag, 'crashed');
      await createNetwork(host.tag, network, { reach: { resolvers: [], allow: [], endpoints: [], services: [], own: [] }, signal: never });
      utimesSync(`/run/paddock/slots/${network.slot}`, 0, 0);
      if (host.cgroups) createCgroup(host.cgroups, 'crashed', { limits, kind: 'instance' });
      made.push(network);
    }
    const next = createDriver(dataDir);
    await next.close();
    assert.deepEqual(
      listNetworks(ours.tag).filter(({ owner }) => owner === 'crashed'),
      [],
    );
    assert.equal(existsSync(`/run/netns/${made[0]?.namespace}`), false);
    assert.equal(listNetworks(others.tag).length, 1);
    assert.equal(existsSync(`/run/netns/${made[1]?.namespace}`), true);
    if (ours.cgroups) assert.deepEqual(listCgroups(ours.cgroups), []);
    if (others.cgroups)
      assert.deepEqual(
        listCgroups(others.cgroups).map(({ name }) => name),
        ['crashed'],
      );
    for (const { network } of listNetworks(others.tag)) await removeNetwork(others.tag, network, 'crashed');
    const last = createDriverOf('another');
    await last.close();
    if (others.cgroups) assert.deepEqual(listCgroups(others.cgroups), []);
  });

  test('concurrent starts and ends of networks keep the shared rules while a network exists, and leave nothing after the last', {
    skip: !isRoot && 'only root makes networks',
  }, async () => {
    const { tag } = thisHost({ dataDir, installation: 'crowd', log });
    const reach = { resolvers: [], allow: [], endpoints: [], services: [], own: [] };
    const make = async (name: string) => {
      const network = allocateSlot(tag, name);
      await createNetwork(tag, network, { reach, signal: never });
      return { name, network };
    };
    const end = ({ name, network }: Awaited<ReturnType<typeof make>>) => removeNetwork(tag, network, name);
    const hasRules = async () => (await run('nft', ['list', 'table', 'inet', `paddock_${tag}`], { accept: [1] })).code === 0;
    const early = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(make));
    const [last] = await Promise.all([make('last'), ...early.map(end)]);
    assert.deepEqual(
      listNetworks(tag).map(({ owner }) => owner),
      ['last'],
    );
    assert.equal(await hasRules(), true);
    await end(last);
    assert.deepEqual(listNetworks(tag), []);
    assert.equal(await hasRules(), false);
  });

  test('another server with the same folder takes over the watch of the limits', async () => {
    const first = createDriver(join(root, 'shared'));
    const second = createDriver(join(root, 'shared'));
    await first.close();
    const wanted = spec(['fill'], { limits: { ...spec([]).limits, disk_mb: 20 } });
    await second.start(wanted, never);
    assert.equal((await exited(second, wanted.id, 15_000)).disk_full, true);
    await second.remove(wanted.id);
    await second.close();
  });

  function createDriverOf(installation: string): RuntimeDriver {
    return processDriver({ dataDir, installation, log });
  }
});
