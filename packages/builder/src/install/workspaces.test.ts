// A member of a workspace is installed with the others by the workspace's manager. No registry is queried for packages that the archive
// holds.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linkRunTools } from '../../../../scripts/test/run-tools.ts';
import { trialRunner } from '../../test/step-runner.ts';
import { listener } from '../../test/token-registry.ts';
import { writeZip } from '../../test/write-zip.ts';
import { type BuildResult, build } from '../build.ts';
import { BuildError } from '../build-error.ts';
import { findToolchains } from './toolchain.ts';
import { type ToolName, toolStore } from './tools.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-workspaces-'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
const signal = AbortSignal.timeout(600_000);
const toolchains = await findToolchains(signal);
const tools = toolStore(dataDir, toolchains, signal);
const managers: ToolName[] = ['npm', 'pnpm', 'yarn', 'yarn-berry', 'bun'];
for (const name of managers) await tools.packageManager(name);

/** The registry of this machine. It belongs to a stranger who would profit from requests. */
const stranger = await listener();
const settings = join(home, 'npmrc');
writeFileSync(settings, `registry=${stranger.address}\n`);
for (const name of Object.keys(process.env)) if (/^npm_config_|_proxy$/i.test(name)) delete process.env[name];
process.env.npm_config_userconfig = settings;
after(() => {
  stranger.close();
  rmSync(home, { recursive: true, force: true });
});
let count = 0;

async function deploy(files: Record<string, string>): Promise<BuildResult> {
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  const request = { zipPath, settings: { root: 'apps/api' }, teamId: 'team_a', dataDir, toolchains, signal, onLine: () => undefined };
  return build({ ...request, run: trialRunner() });
}

/** The output of the artifact's command. */
async function outputOf(result: BuildResult): Promise<string> {
  const app = join(home, `app-${count++}`);
  spawnSync('cp', ['-a', '--', result.app_dir, app]);
  const printed: string[] = [];
  const step = {
    name: 'agent',
    command: result.command,
    cwd: join('/app', result.cwd),
    env: result.env,
    mounts: [{ from: app, at: '/app', writable: true }, ...result.mounts],
    limits: { memory_mb: 512, cpus: 1, processes: 64, disk_mb: 512, open_files: 1024 },
    timeout_ms: 20_000,
    egress: { allow: [] },
    registries: [],
  };
  await trialRunner().run(step, (_, line) => printed.push(line), AbortSignal.timeout(30_000));
  return printed.join('\n');
}

const pinned: Partial<Record<ToolName, string>> = {
  pnpm: 'pnpm@10.34.8',
  yarn: 'yarn@1.22.22',
  'yarn-berry': 'yarn@4.18.1',
  bun: 'bun@1.4.5',
};

function workspace(manager: ToolName, wanted: string): Record<string, string> {
  const packageManager = pinned[manager];
  return {
    'package.json': JSON.stringify({ name: 'mono', private: true, workspaces: ['apps/*', 'packages/*'], packageManager }),
    ...(manager === 'pnpm' ? { 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n  - packages/*\n' } : {}),
    'apps/api/package.json': JSON.stringify({
      name: 'api',
      version: '1.0.0',
      scripts: { start: 'node server.js' },
      dependencies: { '@zzmono-x/greeting': wanted },
    }),
    'apps/api/server.js': 'console.log(require("@zzmono-x/greeting"));',
    'packages/greeting/package.json': JSON.stringify({
      name: '@zzmono-x/greeting',
      version: '1.2.0',
      main: 'dist.js',
      scripts: { build: 'node build.js' },
      dependencies: { '@zzmono-x/words': wanted },
    }),
    'packages/greeting/build.js':
      'require("fs").writeFileSync("dist.js", `module.exports = ${JSON.stringify(require("@zzmono-x/words").join(" "))};`);',
    'packages/words/package.json':
      '{"name": "@zzmono-x/words", "version": "1.2.0", "main": "words.js", "scripts": {"build": "node build.js"}}',
    'packages/words/build.js': 'require("fs").writeFileSync("words.js", "module.exports = [\\"from\\", \\"the archive\\"];");',
  };
}

for (const manager of managers)
  test(`a member of a workspace of ${manager} runs with its siblings, which are built first and asked from no registry`, async () => {
    const wants = ['workspace:*', '*', '^1.0.0'].slice(manager === 'npm' || manager === 'yarn' ? 1 : 0);
    for (const wanted of wants) {
      const result = await deploy(workspace(manager, wanted));
      assert.equal(await outputOf(result), 'from the archive', wanted);
    }
    assert.doesNotMatch(stranger.heard(), /zzmono/);
  });

test('a range that the sibling does not fit is refused before anything is asked', async () => {
  for (const wanted of ['^2.0.0', 'latest', '1.1.0']) {
    const error = await deploy(workspace('npm', wanted)).catch((failure: unknown) => failure);
    assert.ok(error instanceof BuildError);
    assert.equal(error.code, 'workspace_mismatch');
    assert.match(
      error.message,
      /^(apps\/api|packages\/greeting)\/package\.json asks for @zzmono-x\/\w+ \S+, but the workspace has it in packages\/\w+ as 1\.2\.0\.$/,
    );
  }
  assert.doesNotMatch(stranger.heard(), /zzmono/);
});

test('a folder that the workspace leaves out is installed by itself', async () => {
  const files = workspace('npm', '*');
  files['package.json'] = JSON.stringify({ name: 'mono', private: true, workspaces: ['packages/*', '!apps/*'] });
  files['apps/api/package.json'] = JSON.stringify({ name: 'api', scripts: { start: 'node server.js' } });
  files['apps/api/server.js'] = 'console.log("alone");';
  const result = await deploy(files);
  assert.equal(result.plan.install, null);
  assert.equal(await outputOf(result), 'alone');
});

test('with bun comes bunx, which scripts call', async () => {
  const { mounts, path } = await tools.packageManager('bun');
  const { from = '', at = '' } = mounts[0] ?? {};
  const { status, stderr } = spawnSync(join(path.replace(at, from), 'bunx'), ['--help'], { encoding: 'utf8', timeout: 30_000 });
  assert.equal(status, 0, stderr);
});
