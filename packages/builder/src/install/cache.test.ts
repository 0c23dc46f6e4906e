import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { collectCaches, leaseCache } from './cache.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-cache-'));
after(() => rmSync(home, { recursive: true, force: true }));
const signal = AbortSignal.timeout(60_000);

test('no cache of a running build is removed for its size or age, that of a fifth build of a team neither', async () => {
  const leases = await Promise.all(Array.from({ length: 5 }, () => leaseCache(home, 'team_a')));
  const folders = leases.map(({ mount }) => mount.from);
  assert.equal(new Set(folders).size, 5);
  for (const folder of folders) writeFileSync(join(folder, 'package'), Buffer.alloc(3 * 1024 ** 2, 1));
  const limits = { olderThan: new Date(Date.now() + 60_000), maxMb: 1 };
  assert.equal(await collectCaches(home, limits, signal), 0);
  assert.deepEqual(
    folders.map((folder) => existsSync(join(folder, 'package'))),
    folders.map(() => true),
  );
  for (const lease of leases) await lease.release();
  assert.equal(folders.filter((folder) => existsSync(folder)).length, 4, 'the fifth one ends with its build');
  assert.equal(await collectCaches(home, limits, signal), 4);
  const [team = ''] = readdirSync(join(home, 'cache'));
  assert.deepEqual(readdirSync(join(home, 'cache', team)), []);
});
