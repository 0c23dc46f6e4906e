import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linkRunTools } from '../../../scripts/test/run-tools.ts';
import { trialRunner } from '../test/step-runner.ts';
import { type Entry, writeZip } from '../test/write-zip.ts';
import { type BuildRequest, type BuildResult, build } from './build.ts';
import { BuildError } from './build-error.ts';
import { collectCaches } from './install/cache.ts';
import { collectArtifacts, collectLayers } from './install/layers.ts';
import { findToolchains } from './install/toolchain.ts';
import type { StepSpec } from './step.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-build-'));
after(() => rmSync(home, { recursive: true, force: true }));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
const toolchains = await findToolchains(AbortSignal.timeout(20_000));
const never = new AbortController().signal;
let count = 0;

interface Run {
  result: BuildResult;
  lines: string[];
  steps: StepSpec[];
}

async function run(files: Record<string, string>, more: Partial<BuildRequest> = {}): Promise<Run> {
  const entries: Entry[] = Object.entries(files).map(([name, data]) => ({ name, data }));
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(entries));
  const lines: string[] = [];
  const steps: StepSpec[] = [];
  const request = {
    zipPath,
    settings: {},
    teamId: 'team_a',
    dataDir,
    run: trialRunner(steps),
    toolchains,
    signal: AbortSignal.timeout(120_000),
    onLine: (_: string, text: string) => lines.push(text),
    ...more,
  };
  return { result: await build(request), lines, steps };
}

/** Runs the artifact's command as an agent would be, and returns what it printed. */
async function start({ result }: Run, env: Record<string, string> = {}): Promise<string> {
  const app = join(home, `app-${count++}`);
  spawnSync('cp', ['-a', '--', result.app_dir, app]);
  const printed: string[] = [];
  const mounts = [{ from: app, at: '/app', writable: true }, ...result.mounts];
  const limits = { memory_mb: 512, cpus: 1, processes: 64, disk_mb: 512, open_files: 1024 };
  const step = {
    name: 'agent',
    command: result.command,
    cwd: join('/app', result.cwd),
    env: { ...result.env, ...env },
    mounts,
    limits,
    timeout_ms: 20_000,
    egress: { allow: [] },
    registries: [],
  };
  await trialRunner().run(step, (_, line) => printed.push(line), AbortSignal.timeout(30_000));
  return printed.join('\n');
}

async function failure(files: Record<string, string>, more: Partial<BuildRequest> = {}): Promise<BuildError> {
  const error = await run(files, more).then(
    () => assert.fail('expected a failure'),
    (e: unknown) => e,
  );
  assert.ok(error instanceof BuildError, String(error));
  return error;
}

const six = { 'requirements.txt': 'six==1.16.0\n', 'main.py': 'import six, sys\nprint("six", six.__version__, sys.prefix)\n' };
const ms = {
  'package.json': '{"name": "a", "dependencies": {"ms": "2.1.3"}}',
  'server.js': 'console.log(require("ms")("2d"), process.env.NODE_ENV)\n',
};

test('a Python agent is installed once; other source with the same requirements installs nothing', async () => {
  const first = await run(six);
  assert.equal(first.result.installed, true);
  assert.match(first.lines.join('\n'), /Detected Python 3\.\d+\.\d+ \(requirements\.txt\)/);
  assert.equal(await start(first), 'six 1.16.0 /app/.venv');
  const second = await run({ ...six, 'note.txt': 'changed' });
  assert.equal(second.result.installed, false);
  assert.equal(second.steps.length, 0);
  assert.match(second.lines.join('\n'), /Dependencies unchanged, layer [0-9a-f]{8}… reused/);
  assert.deepEqual(second.result.layer_keys, first.result.layer_keys);
  assert.equal(await start(second), 'six 1.16.0 /app/.venv');
});

test('the same archive and settings give the same artifact without any work, and other settings another one', async () => {
  const first = await run(six);
  const again = await run(six);
  assert.equal(again.result.reused, true);
  assert.equal(again.result.key, first.result.key);
  assert.deepEqual(again.result.command, first.result.command);
  assert.notEqual((await run(six, { settings: { start: 'python -V' } })).result.key, first.result.key);
});

test('teams share neither layers nor artifacts', async () => {
  const [a, b] = [await run(six), await run(six, { teamId: 'team_b' })];
  assert.notEqual(a.result.key, b.result.key);
  assert.notDeepEqual(a.result.layer_keys, b.result.layer_keys);
});

test('a Node agent is installed once; other source with the same package.json installs nothing', async () => {
  const first = await run(ms);
  assert.equal(first.result.installed, true);
  assert.equal(await start(first), '172800000 production');
  const second = await run({ ...ms, 'note.txt': 'changed' });
  assert.equal(second.result.installed, false);
  assert.equal(second.steps.length, 0);
  assert.equal(await start(second), '172800000 production');
});

test('two builds of the same dependencies at once make one layer', async () => {
  const files = { 'requirements.txt': 'six==1.15.0\n', 'main.py': 'print(1)\n' };
  const [a, b] = await Promise.all([run(files), run({ ...files, x: '1' })]);
  assert.equal([a, b].filter((r) => r.result.installed).length, 1);
  assert.deepEqual(a.result.layer_keys, b.result.layer_keys);
});

test('a build step sees its variables, changes only the artifact, and its secrets stay out of the log', async () => {
  const files = {
    ...ms,
    'package.json': '{"name": "a", "scripts": {"build": "node make.js", "start": "node dist/out.js"}, "dependencies": {"ms": "2.1.3"}}',
    'make.js':
      'const fs = require("fs"); fs.mkdirSync("dist"); fs.writeFileSync("dist/out.js", `console.log("built", require("ms")("1s"))`); fs.writeFileSync("node_modules/ms/made.js", ""); console.log(process.env.BUILD_TOKEN, process.env.CI);\n',
  };
  const built = await run(files, { buildEnv: { BUILD_TOKEN: 'CANARY_build_secret' } });
  assert.equal(await start(built), 'built 1000');
  assert.ok(!built.lines.join('\n').includes('CANARY'));
  assert.match(built.lines.join('\n'), /\*\*\* true/);
  const layer = join(dataDir, 'layers', built.result.layer_keys[0] ?? '', 'content/ms/made.js');
  assert.ok(!existsSync(layer), 'the shared layer is untouched');
  assert.ok(!JSON.stringify(built.result).includes('CANARY'));
});

test('an agent without dependencies runs on the Python and the Node that were chosen', async () => {
  assert.match(await start(await run({ 'main.py': 'import sys; print(sys.version_info[0])' })), /^3$/);
  const typed = await run({ 'package.json': '{"type": "module"}', 'index.ts': 'const x: string = process.versions.node; console.log(x);' });
  assert.equal(await start(typed), process.versions.node);
  assert.match(await start(await run({ 'start.sh': 'echo "hello $PORT"' }), { PORT: '8123' }), /^hello 8123$/);
});

test('install and build failures name step, cause and what to try', async () => {
  const missing = await failure({ 'requirements.txt': 'six==99.99\n', 'main.py': '' });
  assert.equal(missing.step, 'install');
  assert.equal(missing.code, 'install_failed');
  assert.equal(missing.doing, 'installing the dependencies of requirements.txt');
  assert.equal(missing.message, 'There is no version six==99.99 in the registry.');
  assert.match(missing.hint, /version that exists/);
  assert.ok(missing.tail.length > 0 && missing.tail.length <= 50);
  const broken = await failure({
    'package.json': '{"scripts": {"build": "node make.js"}}',
    'server.js': '',
    'make.js': 'for (let i = 0; i < 99; i++) console.log(i); throw new Error("no template")\n',
  });
  assert.equal(broken.step, 'build');
  assert.match(broken.message, /^It ended with exit code 1: Error: no template/);
  assert.equal(broken.tail.length, 50);
  assert.deepEqual(
    readdirSync(join(dataDir, 'artifacts')).filter((n) => n.includes('draft')),
    [],
  );
  assert.deepEqual(readdirSync(join(dataDir, 'tmp')), []);
});

test('a registry that cannot be reached is tried three times, a person’s fault once', async () => {
  const real = trialRunner();
  let tries = 0;
  const flaky = {
    ...real,
    run: async (...[step, onLine, signal]: Parameters<typeof real.run>) => {
      if (!step.command.includes('-r') || ++tries > 2) return real.run(step, onLine, signal);
      onLine('stderr', 'error: Failed to fetch: `https://user:hunter22@index/simple/six/`: Connection reset by peer');
      return { code: 2, signal: null, oom: false, disk_full: false, forks_refused: false, timed_out: false, duration_ms: 1 };
    },
  };
  const { lines } = await run({ 'requirements.txt': 'six==1.14.0\n', 'main.py': '' }, { run: flaky });
  assert.equal(tries, 3);
  assert.match(lines.join('\n'), /Trying again in 1 s \(2 of 3\)/);
  assert.ok(!lines.join('\n').includes('hunter22'), 'no login in the log');
});

test('an aborted build ends and leaves nothing half', async () => {
  const stop = new AbortController();
  const pending = run(
    { 'package.json': '{"scripts": {"build": "sleep 60"}}', 'server.js': '' },
    { signal: stop.signal, onLine: (_, text) => text.startsWith('Building') && stop.abort(new Error('cancelled')) },
  );
  await assert.rejects(pending, /cancelled/);
  assert.deepEqual(
    readdirSync(join(dataDir, 'artifacts')).filter((n) => n.includes('draft')),
    [],
  );
  assert.deepEqual(readdirSync(join(dataDir, 'tmp')), []);
});

test('only layers and artifacts that nobody uses and that are old enough are collected', async () => {
  const { result } = await run(six);
  const key = result.layer_keys[0] ?? '';
  assert.deepEqual(await collectLayers(dataDir, { inUse: [], olderThan: new Date(0) }, never), []);
  const removed = await collectLayers(dataDir, { inUse: [key], olderThan: new Date(Date.now() + 1000) }, never);
  assert.ok(!removed.includes(key) && removed.length > 0);
  assert.ok(existsSync(join(dataDir, 'layers', key)));
  await collectLayers(dataDir, { inUse: [], olderThan: new Date(Date.now() + 1000) }, never);
  const again = await run(six);
  assert.equal(again.result.reused, false, 'an artifact without its layer is built again');
  assert.equal(again.result.installed, true);
  await collectArtifacts(dataDir, { inUse: [], olderThan: new Date(Date.now() + 1000) }, never);
  assert.deepEqual(readdirSync(join(dataDir, 'artifacts')), []);
});

test('what a killed builder left behind is collected after an hour, long before what is whole', async () => {
  const place = (name: string) => join(dataDir, 'artifacts', name);
  for (const [name, minutes] of [
    ['aa.draft-old', 61],
    ['bb.draft-young', 20],
    ['cc', 61],
  ] as const) {
    mkdirSync(place(name), { recursive: true });
    const then = new Date(Date.now() - minutes * 60_000);
    utimesSync(place(name), then, then);
  }
  await collectArtifacts(dataDir, { inUse: [], olderThan: new Date(Date.now() - 7 * 86_400_000) }, never);
  assert.deepEqual(
    readdirSync(join(dataDir, 'artifacts'))
      .filter((name) => /^(aa|bb|cc)/.test(name))
      .sort(),
    ['bb.draft-young', 'cc'],
  );
  for (const name of ['bb.draft-young', 'cc']) rmSync(place(name), { recursive: true });
});

test('a command that the project declares is installed with it, and `uv run` finds it', async () => {
  const files = {
    'pyproject.toml':
      '[project]\nname = "agent-tool"\nversion = "1.0"\ndependencies = ["six==1.16.0"]\n[project.scripts]\nagent-tool = "agent_tool:main"\n[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[tool.setuptools]\npy-modules = ["agent_tool"]\n',
    'agent_tool.py': 'import six\ndef main():\n    print("tool", six.__version__)\n',
    Procfile: 'worker: uv run agent-tool\n',
  };
  assert.equal(await start(await run(files)), 'tool 1.16.0');
});

test('a lock of Poetry, PDM or Pipenv installs exactly what it holds for production', async () => {
  const { result, lines } = await run({
    'pyproject.toml': '[project]\nname = "a"\nversion = "1"\ndependencies = ["six>=1"]\n',
    'poetry.lock':
      '[[package]]\nname = "six"\nversion = "1.15.0"\ngroups = ["main"]\n\n[[package]]\nname = "does-not-exist-anywhere"\nversion = "1"\ngroups = ["dev"]\n',
    'main.py': 'import six; print(six.__version__)',
  });
  assert.match(lines.join('\n'), /Installing 1 locked package with uv/);
  assert.equal(await start({ result, lines, steps: [] }), '1.15.0');
});

test('a lock file that is out of step is resolved anew with a warning', async () => {
  const { result } = await run({
    ...ms,
    'package-lock.json': '{"name": "a", "lockfileVersion": 3, "packages": {"": {"dependencies": {"debug": "4.0.0"}}}}',
  });
  assert.match(result.warnings.join('\n'), /package-lock\.json doesn’t fit package\.json: .*ms@2\.1\.3/);
  assert.equal(await start({ result, lines: [], steps: [] }), '172800000 production');
});

test('TypeScript that Node cannot read runs with the tsx that Paddock brings', async () => {
  const { result } = await run({
    'package.json': '{"name": "a", "type": "module"}',
    'index.ts': "import { Answer } from './answer';\nconsole.log(Answer.Yes);\n",
    'answer.ts': "export enum Answer { Yes = 'yes' }\n",
  });
  assert.equal(await start({ result, lines: [], steps: [] }), 'yes');
});

test('caches in use stay, others go by age and size', async () => {
  const signal = AbortSignal.timeout(20_000);
  assert.equal(await collectCaches(dataDir, { olderThan: new Date(0), maxMb: 1_000_000 }, signal), 0);
  assert.ok((await collectCaches(dataDir, { olderThan: new Date(Date.now() + 1000), maxMb: 1_000_000 }, signal)) > 0);
  assert.equal(await collectCaches(dataDir, { olderThan: new Date(Date.now() + 1000), maxMb: 1_000_000 }, signal), 0);
});

test('the start command of an artifact has no place for shell text of the archive', async () => {
  const { result } = await run({ 'main.py': '', 'paddock.yaml': 'start: ["printf", "%s", "$(touch CANARY_RCE)", "$PORT"]\n' });
  const printed = await start({ result, lines: [], steps: [] }, { PORT: '8123' });
  assert.equal(printed, '$(touch CANARY_RCE)8123');
  assert.ok(readFileSync(join(result.app_dir, 'main.py')).length === 0);
});
