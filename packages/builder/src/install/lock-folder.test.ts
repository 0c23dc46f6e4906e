import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { acquireLayer } from './layers.ts';
import { tryLock } from './lock-folder.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-lock-'));
after(() => rmSync(home, { recursive: true, force: true }));
const signal = AbortSignal.timeout(600_000);

test('a lock has one holder, and goes to another when it is given back or its holder has died', async () => {
  const path = join(home, 'a.lock');
  const release = await tryLock(path);
  assert.ok(release);
  assert.equal(await tryLock(path), null);
  await release();
  const second = await tryLock(path);
  assert.ok(second);
  await second();
  mkdirSync(path);
  const long = new Date(Date.now() - 60_000);
  utimesSync(path, long, long);
  const takeover = await tryLock(path);
  assert.ok(takeover, 'a holder that renewed nothing for a minute is dead');
  await takeover();
  assert.ok(!existsSync(path));
});

test('of many that take a dead holder’s lock at once exactly one gets it', async () => {
  for (let round = 0; round < 20; round++) await takeOverAtOnce(join(home, `b${round}.lock`));
});

async function takeOverAtOnce(path: string): Promise<void> {
  mkdirSync(path);
  const long = new Date(Date.now() - 60_000);
  utimesSync(path, long, long);
  const taken = (await Promise.all(Array.from({ length: 8 }, () => tryLock(path)))).filter((r) => r !== null);
  assert.equal(taken.length, 1);
  for (const release of taken) await release();
}

test('a layer whose filling fails leaves nothing, and the next one may try', async () => {
  await assert.rejects(acquireLayer(home, { key: 'aa', fill: () => Promise.reject(new Error('no')) }, signal), /no/);
  assert.deepEqual(readdirSync(join(home, 'layers')), []);
  assert.equal((await acquireLayer(home, { key: 'aa', fill: async () => undefined }, signal)).reused, false);
  assert.equal((await acquireLayer(home, { key: 'aa', fill: () => Promise.reject(new Error('never called')) }, signal)).reused, true);
});
