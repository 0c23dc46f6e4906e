import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linkRunTools } from '../../../scripts/test/run-tools.ts';
import { trialRunner } from '../test/step-runner.ts';
import { writeZip } from '../test/write-zip.ts';
import { build } from './build.ts';
import { collectLayers } from './install/layers.ts';
import { findToolchains } from './install/toolchain.ts';
import type { StepRunner } from './step.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-strange-'));
after(() => rmSync(home, { recursive: true, force: true }));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
const toolchains = await findToolchains(AbortSignal.timeout(20_000));
let count = 0;

/** Does what a program in the step could do: puts something else at the path of npm's list of packages. */
function leaving(put: (path: string) => void): StepRunner {
  const real = trialRunner();
  return {
    ...real,
    run: async (...[step, onLine, signal]: Parameters<StepRunner['run']>) => {
      const result = await real.run(step, onLine, signal);
      const tree = step.mounts.find((mount) => mount.writable && mount.at === '/app')?.from ?? '';
      const list = join(tree, 'node_modules/.package-lock.json');
      if (existsSync(list)) {
        rmSync(list);
        put(list);
      }
      return result;
    },
  };
}

function start(files: Record<string, string>, run: StepRunner = trialRunner()) {
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  const request = { zipPath, settings: {}, teamId: `team_${count}`, dataDir, run, toolchains, onLine: () => undefined };
  return build({ ...request, signal: AbortSignal.timeout(240_000) });
}

const agent = { 'package.json': '{"name": "a", "dependencies": {"ms": "2.1.3"}}', 'server.js': 'require("ms")' };

test('FIFOs that programs of archives leave block no other team’s build, and fail their own clearly', async () => {
  const fifos: string[] = [];
  const run = leaving((path) => {
    fifos.push(path);
    execFileSync('mkfifo', [path]);
  });
  // If the platform blocks on one of them, this unblocks it. Otherwise the test could not end.
  let waited = false;
  const release = setTimeout(() => {
    waited = true;
    for (const fifo of fifos) closeSync(openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK));
  }, 120_000);
  try {
    await start(agent); // the tools are installed from here on
    // More than the number of libuv threads.
    const hostile = Array.from({ length: 6 }, () => start(agent, run).catch((error: unknown) => error as Error));
    const honest = await start({ ...agent, 'note.txt': 'another team' });
    assert.ok(honest.installed);
    for (const outcome of await Promise.all(hostile)) {
      assert.ok(outcome instanceof Error);
      assert.match(outcome.message, /"node_modules\/\.package-lock\.json" is not a file/);
    }
    assert.equal(waited, false, 'a build waited for a FIFO');
  } finally {
    clearTimeout(release);
  }
});

const things: [what: string, put: (path: string) => void, found: RegExp][] = [
  ['a link to a device', (path) => symlinkSync('/dev/zero', path), /is a link/],
  ['a link to a file of the machine', (path) => symlinkSync('/etc/passwd', path), /is a link/],
  ['a folder', (path) => mkdirSync(path), /is not a file/],
  [
    'a file of 3 GiB without content',
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 3 * 1024 ** 3);
    },
    /is too large/,
  ],
];
for (const [what, put, found] of things)
  test(`${what} in the place of a file that a build leaves is named, and not read`, async () => {
    await assert.rejects(start(agent, leaving(put)), found);
    assert.deepEqual(
      readdirSync(join(dataDir, 'layers')).filter((name) => name.includes('draft')),
      [],
    );
  });

test('a layer with folders deeper than any path can name is collected, and so are those after it', async () => {
  const layers = join(dataDir, 'layers');
  for (const key of ['aa', 'bb']) mkdirSync(join(layers, key), { recursive: true });
  execFileSync('python3', ['-c', 'import os\nfor _ in range(1500):\n  os.mkdir("d" * 20); os.chdir("d" * 20)'], {
    cwd: join(layers, 'aa'),
  });
  const removed = await collectLayers(dataDir, { inUse: [], olderThan: new Date(Date.now() + 60_000) }, AbortSignal.timeout(60_000));
  assert.ok(removed.includes('aa') && removed.includes('bb'), removed.join());
  assert.deepEqual(readdirSync(layers), []);
});
