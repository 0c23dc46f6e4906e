// An agent in a folder of the archive whose dependencies are listed in a folder above, with the real clients.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linkRunTools } from '../../../../scripts/test/run-tools.ts';
import { trialRunner } from '../../test/step-runner.ts';
import { writeZip } from '../../test/write-zip.ts';
import { type BuildRequest, type BuildResult, build } from '../build.ts';
import { BuildError } from '../build-error.ts';
import { findToolchains } from './toolchain.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-above-'));
after(() => rmSync(home, { recursive: true, force: true }));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
const toolchains = await findToolchains(AbortSignal.timeout(20_000));
let count = 0;

async function built(files: Record<string, string>, settings: BuildRequest['settings']): Promise<BuildResult> {
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  const signal = AbortSignal.timeout(120_000);
  return build({ zipPath, settings, teamId: 't', dataDir, run: trialRunner(), toolchains, signal, onLine: () => undefined });
}

/** The output of the artifact's command, run as an agent would be. */
async function output(result: BuildResult): Promise<string> {
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

const agent = {
  'services/chat/main.py': 'import six, sys\nfrom services.chat.parts.words import word\nprint(word, six.__version__, sys.prefix)\n',
  'services/chat/parts/words.py': 'word = "hello"\n',
};
const project = '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["six==1.15.0"]\n';

test('an agent in a folder gets the packages that the top of the archive lists, and imports its own folder by name from there', async () => {
  const result = await built({ ...agent, 'requirements.txt': 'six==1.15.0\n' }, { root: 'services/chat', build: 'python -c "import six"' });
  assert.equal(await output(result), 'hello 1.15.0 /app/.venv');
  const reason = result.plan.reasons.find(({ what }) => what === 'dependencies');
  assert.deepEqual(reason, { what: 'dependencies', value: 'the top of the archive', because: 'requirements.txt' });
});

test('the nearest folder above decides, and its lock is read', async () => {
  const files = {
    ...agent,
    'requirements.txt': 'does-not-exist-anywhere\n',
    'services/pyproject.toml': project,
    'services/poetry.lock': '[[package]]\nname = "six"\nversion = "1.15.0"\ngroups = ["main"]\n',
  };
  assert.equal(await output(await built(files, { root: 'services/chat' })), 'hello 1.15.0 /app/services/.venv');
});

test('a folder that lists its own dependencies takes none from above', async () => {
  const files = { ...agent, 'requirements.txt': 'does-not-exist-anywhere\n', 'services/chat/requirements.txt': 'six==1.15.0\n' };
  const result = await built(files, { root: 'services/chat' });
  assert.equal(await output(result), 'hello 1.15.0 /app/services/chat/.venv');
  assert.equal(result.plan.install?.folder, undefined);
});

test('without any list the advice names packages of the index, and neither the agent’s own folder nor modules beside it', async () => {
  const main =
    'import yaml, texts\nfrom dotenv import load_dotenv\nfrom fastapi import FastAPI\nfrom chat_api.words import word\napp = FastAPI()\n';
  const error = await built({ 'chat_api/main.py': main, 'chat_api/words.py': '', 'texts.py': '' }, { root: 'chat_api' }).catch(
    (e: unknown) => e,
  );
  assert.ok(error instanceof BuildError, String(error));
  assert.match(error.hint, /: PyYAML, fastapi, python-dotenv\.$/);
});

test('a folder above that only bears the name of a listed package’s module is not put before that package', async () => {
  const files = {
    'requirements.txt': 'PyYAML==6.0.2\n',
    'yaml/__init__.py': '',
    'chat_api/main.py': 'import yaml\nprint(yaml.__version__)\n',
  };
  const result = await built(files, { root: 'chat_api' });
  assert.equal(result.env.PYTHONPATH, undefined);
  assert.equal(await output(result), '6.0.2');
});
