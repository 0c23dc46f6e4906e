import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SuiteOptions } from './driver.suite.ts';
import { testApp, until } from './test/agents.ts';

/** The behaviour that every RuntimeDriver promises for an agent that has not produced any output yet. */
export function activitySuite({ name, createDriver }: Omit<SuiteOptions, 'module'>): void {
  test(`runtime driver ${name}: who opens connections, asks for names or starts processes is told from who waits`, async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'paddock-runtime-'));
    const driver = createDriver(join(root, 'data'));
    const spec = await testApp(root);
    const [waiting, hastening] = [spec(['quiet']), spec(['hastening'])];
    const connecting = [spec(['knock']), spec(['lookup'])];
    const all = [waiting, hastening, ...connecting];
    t.after(async () => {
      for (const { id } of all) {
        await driver.stop(id, 0);
        await driver.remove(id);
      }
      await driver.close();
      rmSync(root, { recursive: true, force: true });
    });
    for (const one of all) await driver.start(one, new AbortController().signal);
    for (const { id } of connecting) {
      await until('it connects', async () => (await driver.activity(id)).is_connecting);
      await until('it connects, and rests', async () => {
        const { is_waiting, is_connecting } = await driver.activity(id);
        return is_connecting && !is_waiting;
      });
    }
    const starts = new Set<number>();
    await until('it starts one process after the other', async () => starts.add((await driver.activity(hastening.id)).last_start).size > 4);
    const before = await driver.activity(waiting.id);
    await sleep(1000);
    const after = await driver.activity(waiting.id);
    assert.ok(before.last_start > 0);
    assert.deepEqual([after.last_start, after.is_connecting], [before.last_start, false]);
  });

  test(`runtime driver ${name}: an agent that waits is told from one that computes and reads`, async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'paddock-runtime-'));
    const driver = createDriver(join(root, 'data'));
    const spec = await testApp(root);
    const [waiting, busy] = [spec(['quiet']), spec(['compute'])];
    t.after(async () => {
      for (const { id } of [waiting, busy]) {
        await driver.stop(id, 0);
        await driver.remove(id);
      }
      await driver.close();
      rmSync(root, { recursive: true, force: true });
    });
    const never = new AbortController().signal;
    await driver.start(waiting, never);
    await until('the one that waits to be up', async () => {
      const [before, after] = [await driver.activity(waiting.id), await sleep(500).then(() => driver.activity(waiting.id))];
      return before.cpu_ms > 0 && after.cpu_ms - before.cpu_ms < 25 && after.read_bytes - before.read_bytes < 32_768;
    });
    await driver.start(busy, never);
    const before = await driver.activity(busy.id);
    await until('the busy one to compute', async () => {
      const now = await driver.activity(busy.id);
      return now.cpu_ms > before.cpu_ms + 100 && now.read_bytes > before.read_bytes + 1e6;
    });
    await until('the busy one to be seen at it', async () => (await driver.activity(busy.id)).is_waiting);
    await driver.stop(busy.id, 0);
    assert.deepEqual(await driver.activity(busy.id), {
      cpu_ms: 0,
      read_bytes: 0,
      received_bytes: 0,
      last_start: 0,
      is_waiting: false,
      is_connecting: false,
    });
  });
}
