import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sized } from '../../../../scripts/test/size.ts';
import { trialRunner } from '../../test/step-runner.ts';
import { writeZip } from '../../test/write-zip.ts';
import { build } from '../build.ts';
import type { StepRunner } from '../step.ts';
import { keepCacheLimit } from './cache-limit.ts';
import { openLease } from './leases.ts';
import { tryLock } from './lock-folder.ts';
import { findToolchains } from './toolchain.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-limit-'));
after(() => rmSync(home, { recursive: true, force: true }));
const signal = AbortSignal.timeout(600_000);
const nothing = async () => ({ artifacts: [], layers: [] });
const key = (n: number) => n.toString(16).padStart(40, '0');

/** A folder of the given megabytes that was last used the given seconds ago. */
function used(dataDir: string, name: string, [mb, secondsAgo]: [mb: number, secondsAgo: number]) {
  const path = join(dataDir, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'data'), Buffer.alloc(mb * 1024 ** 2, 1));
  const at = new Date(Date.now() - secondsAgo * 1000);
  utimesSync(path, at, at);
}

test('what was used least recently goes first, until the rest fits; what an agent or a build needs, and a cache that a build fills, stays', async () => {
  const dataDir = join(home, 'order');
  used(dataDir, `layers/${key(1)}`, [4, 600]);
  used(dataDir, `layers/${key(2)}`, [4, 500]);
  used(dataDir, `artifacts/${key(3)}`, [4, 400]);
  used(dataDir, 'cache/team/0', [4, 300]);
  used(dataDir, 'cache/team/1', [4, 350]);
  used(dataDir, `layers/${key(4)}`, [4, 200]);
  used(dataDir, `artifacts/${key(5)}`, [4, 100]);
  const lease = await openLease(dataDir);
  await lease.hold(`layers/${key(2)}`);
  const unlock = await tryLock(join(dataDir, 'cache/team/1.lock'));
  const needed = async () => ({ artifacts: [key(3)], layers: [key(1)] });
  const removed = await keepCacheLimit(dataDir, { maxMb: 14, needed }, signal);
  assert.deepEqual(removed, ['cache/team/0']);
  await lease.release();
  assert.deepEqual(await keepCacheLimit(dataDir, { maxMb: 14, needed }, signal), [`layers/${key(2)}`]);
  await unlock?.();
  assert.deepEqual(await keepCacheLimit(dataDir, { maxMb: 9, needed }, signal), ['cache/team/1']);
  assert.deepEqual(readdirSync(join(dataDir, 'layers')).sort(), [key(1), key(4)]);
  assert.deepEqual(await keepCacheLimit(dataDir, { maxMb: 9, needed }, signal), []);
});

test('what a build takes into use while the limit is kept is put back, and without an answer about agents all is', async () => {
  const dataDir = join(home, 'race');
  used(dataDir, `layers/${key(1)}`, [2, 600]);
  used(dataDir, `artifacts/${key(2)}`, [2, 500]);
  let asked = 0;
  const late = await openLease(dataDir);
  const needed = async () => {
    // The second call happens after the folders were moved away: a build started in between.
    if (++asked === 1) await late.hold(`layers/${key(1)}`);
    return { artifacts: [], layers: [] };
  };
  assert.deepEqual(await keepCacheLimit(dataDir, { maxMb: 0, needed }, signal), [`artifacts/${key(2)}`]);
  assert.ok(existsSync(join(dataDir, 'layers', key(1), 'data')));
  await late.release();
  asked = 0;
  const away = async () => {
    if (++asked === 2) throw new Error('the database is away');
    return { artifacts: [], layers: [] };
  };
  await assert.rejects(keepCacheLimit(dataDir, { maxMb: 0, needed: away }, signal), /the database is away/);
  assert.ok(existsSync(join(dataDir, 'layers', key(1), 'data')));
  assert.deepEqual(readdirSync(join(dataDir, 'layers')), [key(1)]);
});

test('a lease of a builder that died ends by itself', async () => {
  const dataDir = join(home, 'dead');
  used(dataDir, `layers/${key(1)}`, [2, 600]);
  const dead = join(dataDir, 'leases', 'dead');
  mkdirSync(dead, { recursive: true });
  writeFileSync(join(dead, `layers.${key(1)}`), '');
  assert.deepEqual(await keepCacheLimit(dataDir, { maxMb: 0, needed: nothing }, signal), []);
  const before = new Date(Date.now() - 180_000);
  utimesSync(dead, before, before);
  assert.deepEqual(await keepCacheLimit(dataDir, { maxMb: 0, needed: nothing }, signal), [`layers/${key(1)}`]);
  assert.deepEqual(readdirSync(join(dataDir, 'leases')), []);
});

/** Five builds fit the limit, so from the third pair on each build evicts another. */
const builds = sized({ short: 14, long: 100 });
/** Every fifth build fills its disk in the build step and is killed there. */
const isTooLarge = (n: number) => n % 5 === 4;

/** Ends each step like the real sandbox at its disk limit, after the step wrote its files. */
function filling(runner: StepRunner): StepRunner {
  return { ...runner, run: async (...step) => ({ ...(await runner.run(...step)), code: null, signal: 'SIGKILL', disk_full: true }) };
}

const megabytesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0) /
  1024 ** 2;

test(`through ${builds} builds, two at a time, of which a fifth fails at the limit of disk, the limit holds after each, and what was just built is there`, async () => {
  const dataDir = join(home, 'many');
  const toolchains = await findToolchains(signal);
  const maxMb = 12;
  const limits = { memory_mb: 256, cpus: 1, processes: 64, disk_mb: 64, open_files: 512 };
  const one = async (n: number) => {
    const zipPath = join(home, `${n}.zip`);
    writeFileSync(
      zipPath,
      writeZip([
        { name: 'start.sh', data: `echo ${n}\n` },
        { name: 'model.bin', data: randomBytes(2 * 1024 ** 2) },
      ]),
    );
    const request = { zipPath, teamId: 't', dataDir, toolchains, limits, onLine: () => undefined, signal };
    if (isTooLarge(n)) {
      const settings = { build: 'head -c 20000000 /dev/zero > filled', start: 'sh start.sh' };
      await assert.rejects(build({ ...request, settings, run: filling(trialRunner()) }), { code: 'disk_limit' });
    } else {
      const { app_dir, release } = await build({ ...request, settings: {}, run: trialRunner() });
      const mine = () => existsSync(join(app_dir, 'model.bin'));
      await keepCacheLimit(dataDir, { maxMb, needed: nothing }, signal);
      assert.ok(mine(), 'a build that nobody named yet is kept');
      await release();
    }
    await keepCacheLimit(dataDir, { maxMb, needed: nothing }, signal);
    rmSync(zipPath);
  };
  for (let n = 0; n < builds; n += 2) {
    await Promise.all([one(n), one(n + 1)]);
    const left = readdirSync(join(dataDir, 'artifacts'));
    // Each build takes a little more than 2 MB.
    assert.ok(left.length <= 6, `${left.length} builds are left`);
    assert.ok(megabytesOf(dataDir) <= maxMb, `${megabytesOf(dataDir)} MB are left, with what failed builds wrote`);
  }
  assert.ok(readdirSync(join(dataDir, 'artifacts')).length >= 4, 'and the rest is kept');
});
