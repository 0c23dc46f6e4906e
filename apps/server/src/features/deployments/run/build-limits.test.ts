// Messages of builds that reach a limit, in the real sandbox: the limit, its size, what used it, and how to raise it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deploy, type Platform, reaches, startPlatform } from '../../../../test/platform.ts';

const limits = {
  PADDOCK_BUILD_DISK_MB: '64',
  PADDOCK_BUILD_MEMORY_MB: '192',
  PADDOCK_BUILD_PROCESSES: '40',
};
let shared: Promise<Platform> | undefined;
const platform = () => (shared ??= startPlatform(undefined, limits));

async function failureOf(paddock: Platform, name: string, build: string): Promise<string> {
  const { api } = await paddock.person();
  const { id } = await api.projects.create({ name });
  const files = { 'main.js': 'console.log(1)', 'make.sh': build, 'paddock.yaml': 'start: node main.js\nbuild: sh make.sh\n' };
  const made = await deploy(api, id, files);
  const failed = await reaches(api, made.id, ['failed']);
  return failed.error_message ?? '';
}

const fill = (megabytes: number) =>
  `mkdir -p node_modules/big-one node_modules/@team/small\nhead -c 12000000 /dev/zero > node_modules/@team/small/b\nfor i in $(seq ${megabytes / 8}); do head -c 8388608 /dev/zero > node_modules/big-one/$i || exit 1; sleep 0.05; done\nsleep 30\n`;

test('a build that writes too much names the limit, the packages that filled it, and the setting', async () => {
  const said = await failureOf(await platform(), 'writes', fill(400));
  assert.match(
    said,
    /running the build command \(sh make\.sh\): It wrote more than the 64 MB of disk that a build step may use\. The largest: big-one \d+ MB, @team\/small 11 MB\./,
  );
  assert.match(said, /raise PADDOCK_BUILD_DISK_MB/);
  assert.doesNotMatch(said, /SIGKILL/);
});

test('a build that takes too much memory or too many processes names that limit and its setting', async () => {
  const paddock = await platform();
  const hog = await failureOf(paddock, 'hog', `node -e 'const kept = []; for (;;) kept.push(Buffer.alloc(8e6, 1))'`);
  assert.match(hog, /more than the 192 MB of memory that a build step may use\..*PADDOCK_BUILD_MEMORY_MB/);
  const forks = await failureOf(paddock, 'forks', 'for i in $(seq 80); do sleep 3 & done; wait');
  assert.match(forks, /more than the 40 processes and threads that a build step may have\..*PADDOCK_BUILD_PROCESSES/);
});

// Uses its own platform: on a busy machine the builds above take longer than this limit.
test('a build that takes too long names that limit and its setting', async (t) => {
  const paddock = await startPlatform(t, { PADDOCK_BUILD_TIMEOUT_S: '20' });
  const slow = await failureOf(paddock, 'slow', 'echo waiting for nothing; sleep 60');
  assert.match(slow, /was not done when the 20 s that a build may take were over\..*PADDOCK_BUILD_TIMEOUT_S[^]*waiting for nothing/);
});

test('a server whose disk becomes full in a build says how much was free and what filled it, and keeps nothing of the build', {
  skip: process.getuid?.() !== 0 && 'needs a disk of its own',
}, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'paddock-small-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=0755', 'paddock-test', dataDir]);
  t.after(() => {
    execFileSync('umount', ['--lazy', dataDir]);
    rmSync(dataDir, { recursive: true });
  });
  const paddock = await startPlatform(t, {}, { dataDir });
  const said = await failureOf(paddock, 'full', fill(4000));
  assert.match(said, /filled the disk of the server: \d+ MB were free before, which was not enough, and \d+ MB when it ended\./);
  assert.match(said, /The largest: big-one \d+ MB/);
  assert.match(said, /Free more than \d+ MB on the server’s disk/);
  const left = (folder: string) => (existsSync(join(dataDir, folder)) ? readdirSync(join(dataDir, folder)) : []);
  assert.deepEqual([left('artifacts'), left('layers'), left('steps')], [[], [], []]);
  const { bavail, bsize } = statfsSync(dataDir);
  assert.ok(bavail * bsize > 100 * 1024 ** 2, 'what it had written is free again');
});
