import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { RuntimeDriver } from '../../driver.ts';
import { exited, LIMITS, reach, testApp, until } from '../../test/agents.ts';
import { createDriver } from '../../test/sandboxed.ts';

const never = new AbortController().signal;

suite('limits of an instance', () => {
  let root: string;
  let driver: RuntimeDriver;
  let spec: Awaited<ReturnType<typeof testApp>>;

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'paddock-limits-'));
    spec = await testApp(root);
    driver = createDriver(join(root, 'data'));
  });
  after(async () => {
    for (const { id } of await driver.list()) {
      await driver.stop(id, 0);
      await driver.remove(id);
    }
    await driver.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('an agent that takes more memory than it may is ended, and the exit says why', async () => {
    const wanted = spec(['hog'], { limits: { ...LIMITS, memory_mb: 96 } });
    await driver.start(wanted, never);
    const exit = await exited(driver, wanted.id, 20_000);
    assert.deepEqual([exit.oom, exit.disk_full, exit.signal], [true, false, 'SIGKILL']);
  });

  test('a crash is not taken for a lack of memory', async () => {
    const wanted = spec(['exit', '1']);
    await driver.start(wanted, never);
    const exit = await exited(driver, wanted.id);
    assert.deepEqual([exit.oom, exit.disk_full, exit.code], [false, false, 1]);
  });

  test('an agent that starts processes without end gets only as many as it may, and goes on', async () => {
    const wanted = spec(['fork'], { limits: { ...LIMITS, processes: 40 } });
    await driver.start(wanted, never);
    const line = await until('the count', () => /\{.*\}/.exec(readFileSync(driver.output(wanted.id).stdout, 'utf8'))?.[0]);
    const { started, refused } = JSON.parse(line) as { started: number; refused: number };
    assert.ok(started < 40 && refused > 150, line);
    assert.ok((await driver.usage(wanted.id)).processes <= 40);
    await driver.stop(wanted.id, 0);
  });

  test('an agent that fills the disk is ended, and the exit says why', async () => {
    const wanted = spec(['fill'], { limits: { ...LIMITS, disk_mb: 40 } });
    await driver.start(wanted, never);
    const exit = await exited(driver, wanted.id, 20_000);
    assert.deepEqual([exit.disk_full, exit.oom], [true, false]);
  });

  test('the app that an agent was built with does not count against its disk, and what it writes besides does', async () => {
    const app_dir = mkdtempSync(join(root, 'large-'));
    writeFileSync(join(app_dir, 'packages'), Buffer.alloc(60_000_000, 'x'));
    const limits = { ...LIMITS, disk_mb: 40 };
    const calm = spec([], { app_dir, command: ['/bin/sh', '-c', 'sleep 4; exit 3'], limits });
    const command = ['/bin/sh', '-c', 'for n in 1 2 3; do head -c 20000000 /dev/zero > $n; done; sleep 60'];
    const greedy = spec([], { app_dir, command, limits });
    await Promise.all([driver.start(calm, never), driver.start(greedy, never)]);
    const [calmly, greedily] = await Promise.all([exited(driver, calm.id, 20_000), exited(driver, greedy.id, 30_000)]);
    assert.deepEqual([calmly.code, calmly.disk_full, greedily.disk_full], [3, false, true]);
  });

  test('one file larger than the disk limit cannot be written at all', async () => {
    const command = ['/bin/sh', '-c', 'exec head -c 60000000 /dev/zero > /tmp/big'];
    const wanted = spec([], { command, limits: { ...LIMITS, disk_mb: 40 } });
    await driver.start(wanted, never);
    await exited(driver, wanted.id);
    const { size } = statSync(join(root, 'data/instances', wanted.id, 'tmp/big'));
    // A little less if the watch killed the agent, because it counts the agent's other files, too.
    assert.ok(size <= 40 * 1024 ** 2 && size > 39 * 1024 ** 2, `${size} bytes`);
  });

  test('output that nobody takes is held at its bound, with no server watching, and goes on when there is room', async () => {
    const wanted = spec([], { command: ['/bin/sh', '-c', 'yes "$(head -c 900 /dev/zero | tr "\\0" x)"'] });
    const starter = createDriver(join(root, 'data'));
    await starter.start(wanted, never);
    await starter.close();
    const { stdout } = driver.output(wanted.id);
    const kept = () => (statSync(stdout).blocks * 512) / 1024 / 1024;
    await until('the bound', () => kept() >= 112 || undefined, 20_000);
    const size = await until('silence', async () => {
      const before = statSync(stdout).size;
      await new Promise((resolve) => setTimeout(resolve, 400));
      return statSync(stdout).size === before ? before : undefined;
    });
    assert.ok(kept() <= 129, `${kept()} MB`);
    await driver.releaseOutput(wanted.id, { stdout: size, stderr: 0 });
    await until('more output', () => statSync(stdout).size > size || undefined);
    await driver.stop(wanted.id, 0);
    await exited(driver, wanted.id);
  });

  test('an agent gets no more processor time than its share', { skip: process.getuid?.() !== 0 && 'needs control groups' }, async () => {
    const wanted = spec([], { command: ['/bin/sh', '-c', 'while :; do :; done'], limits: { ...LIMITS, cpus: 0.25 } });
    await driver.start(wanted, never);
    const begun = performance.now();
    const first = (await driver.usage(wanted.id)).cpu_ms;
    await until('a second', () => performance.now() - begun > 1500 || undefined);
    const share = ((await driver.usage(wanted.id)).cpu_ms - first) / (performance.now() - begun);
    assert.ok(share > 0.02 && share < 0.35, `share ${share}`);
    await driver.stop(wanted.id, 0);
  });

  test('open files are limited', async () => {
    const wanted = spec(['serve'], { limits: { ...LIMITS, open_files: 123 } });
    await driver.start(wanted, never);
    const ask = await reach(driver, wanted.id);
    assert.match(JSON.stringify(await ask('/sh?command=ulimit%20-n')), /123/);
    await driver.stop(wanted.id, 0);
  });
});
