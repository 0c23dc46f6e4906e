import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { RuntimeDriver } from '@paddock/runtime';
import { until } from '../../../test/platform.ts';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';
import { createLog } from '../../log.ts';
import type { NewLine } from './append.ts';
import { collectOutput } from './collector.ts';
import { logStore } from './store.ts';

async function deployed(t: TestContext) {
  const { sql, team_id, deployment_id: id } = await deploymentIn(await startApi(t));
  return { store: logStore(sql), id, team_id };
}

const asTheyAre = async (_: string, lines: NewLine[]) => ({ lines });
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

test('the collector stores each line once although it is killed at any point and another one runs beside it', async (t) => {
  const { store, id, team_id } = await deployed(t);
  const folder = await mkdtemp(join(tmpdir(), 'paddock-output-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { stdout: join(folder, 'out'), stderr: join(folder, 'err') };
  await writeFile(files.stdout, '');
  await writeFile(files.stderr, 'ValueError: bad\n');
  const driver = { output: () => files, releaseOutput: async () => undefined } as unknown as RuntimeDriver;
  let exited = false;
  const collect = (signal: AbortSignal) =>
    collectOutput(
      { driver, store, mask: asTheyAre, log: createLog('fatal') },
      { id: 'ins-1', deployment_id: id },
      { hasExited: () => exited, signal },
    );

  const steady = new AbortController();
  const second = collect(steady.signal);
  for (let n = 0; n < 10; n++) {
    const killed = new AbortController();
    const first = collect(killed.signal);
    await appendFile(
      files.stdout,
      numbers(n * 50 + 1, n * 50 + 50)
        .map((k) => `line ${k}\n`)
        .join(''),
    );
    await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 60));
    killed.abort();
    await first;
  }
  await appendFile(files.stdout, 'no line end');
  exited = true;
  await second;
  const { lines } = await store.page(team_id, id, { limit: 1000 });
  assert.deepEqual(
    lines.map((line) => line.number),
    numbers(1, 502),
  );
  assert.deepEqual(
    lines.filter((line) => line.message.startsWith('line')).map((line) => line.message),
    numbers(1, 500).map((k) => `line ${k}`),
  );
  assert.deepEqual(
    lines
      .filter((line) => !line.message.startsWith('line'))
      .map((line) => [line.level, line.message])
      .sort((a, b) => String(a).localeCompare(String(b))),
    [
      ['error', 'ValueError: bad'],
      ['info', 'no line end'],
    ],
  );
});

test('a collector that is there before the files hears of each line when it is written', async (t) => {
  const { store, id } = await deployed(t);
  const folder = await mkdtemp(join(tmpdir(), 'paddock-output-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { stdout: join(folder, 'out'), stderr: join(folder, 'err') };
  const driver = { output: () => files, releaseOutput: async () => undefined } as unknown as RuntimeDriver;
  const stop = new AbortController();
  const collecting = collectOutput(
    { driver, store, mask: asTheyAre, log: createLog('fatal') },
    { id: 'ins-1', deployment_id: id },
    { hasExited: () => false, signal: stop.signal },
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  await writeFile(files.stderr, '');
  const waits: number[] = [];
  for (let n = 1; n <= 15; n++) {
    // By then the collector has polled without a result and is waiting.
    await new Promise((resolve) => setTimeout(resolve, 150));
    await appendFile(files.stdout, `line ${n}\n`);
    const began = performance.now();
    while ((await store.after(id, n - 1, 1)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    waits.push(performance.now() - began);
  }
  // Without a watcher each line waits 0.85 s for the next poll. On a busy machine some lines may wait even with a watcher.
  assert.ok(waits.sort((a, b) => a - b)[4]! < 600, `waited ${waits.map(Math.round)} ms`);
  stop.abort();
  await collecting;
});

test('a line without its end is shown after a second, and what follows is the next line', async (t) => {
  const { store, id, team_id } = await deployed(t);
  const folder = await mkdtemp(join(tmpdir(), 'paddock-output-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { stdout: join(folder, 'out'), stderr: join(folder, 'err') };
  await writeFile(files.stdout, 'begun\nWhat is your name? ');
  await writeFile(files.stderr, '');
  const driver = { output: () => files, releaseOutput: async () => undefined } as unknown as RuntimeDriver;
  const stop = new AbortController();
  const collecting = collectOutput(
    { driver, store, mask: asTheyAre, log: createLog('fatal') },
    { id: 'ins-1', deployment_id: id },
    { hasExited: () => false, signal: stop.signal },
  );
  const messages = async () => (await store.page(team_id, id, { limit: 10 })).lines.map((line) => line.message);
  const reaches = (count: number) => until(`${count} lines`, async () => (await messages()).length >= count);
  await reaches(2);
  // The late line end does not make an empty line.
  await appendFile(files.stdout, '\nhello\nLoading...');
  await reaches(4);
  await appendFile(files.stdout, ' done\n');
  await reaches(5);
  assert.deepEqual(await messages(), ['begun', 'What is your name? ', 'hello', 'Loading...', ' done']);
  stop.abort();
  await collecting;
});
