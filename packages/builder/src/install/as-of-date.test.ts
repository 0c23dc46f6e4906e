// A package whose newest version cannot be installed, from indexes of the test, and the versions that an archive of an earlier day gets.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { linkRunTools } from '../../../../scripts/test/run-tools.ts';
import { trialRunner } from '../../test/step-runner.ts';
import { writeWheel } from '../../test/write-wheel.ts';
import { writeZip } from '../../test/write-zip.ts';
import { type BuildResult, build } from '../build.ts';
import { BuildError } from '../build-error.ts';
import { findToolchains } from './toolchain.ts';
import { type ToolName, toolStore } from './tools.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-as-of-'));
const dataDir = join(home, 'data');
mkdirSync(dataDir);
linkRunTools(dataDir);
after(() => rmSync(home, { recursive: true, force: true }));
const signal = AbortSignal.timeout(600_000);
const toolchains = await findToolchains(signal);

const oldDay = '2020-03-02T00:00:00.000Z';
const newDay = '2024-05-06T00:00:00.000Z';
const files = new Map<string, Buffer>();
let tellsDates = true;
const index = createServer((request, answer) => {
  const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
  const file = files.get(path.split('/').at(-1) ?? '');
  if (file !== undefined) return answer.end(file);
  if (path === '/simple/brittle/')
    return answer.writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' }).end(json(simple()));
  if (path === '/brittle') return answer.writeHead(200, { 'content-type': 'application/json' }).end(json(packument()));
  if (path === '/lamp') return answer.writeHead(200, { 'content-type': 'application/json' }).end(json(lamp()));
  return answer.writeHead(404).end('{}');
});
const address = () => `http://127.0.0.1:${(index.address() as AddressInfo).port}`;
const json = JSON.stringify;

function simple() {
  const listed = ['brittle-1.0-py3-none-any.whl', 'brittle-2.0.tar.gz'].map((filename, at) => ({
    filename,
    url: `${address()}/files/${filename}`,
    hashes: {
      sha256: createHash('sha256')
        .update(files.get(filename) ?? '')
        .digest('hex'),
    },
    ...(tellsDates ? { 'upload-time': [oldDay, newDay][at] } : {}),
  }));
  return { meta: { 'api-version': '1.1' }, name: 'brittle', versions: ['1.0', '2.0'], files: listed };
}

function packument() {
  const version = (name: string, dependencies: object) => {
    const tarball = files.get(`brittle-${name}.tgz`) ?? Buffer.alloc(0);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    return { name: 'brittle', version: name, dependencies, dist: { tarball: `${address()}/brittle/-/brittle-${name}.tgz`, integrity } };
  };
  return {
    name: 'brittle',
    'dist-tags': { latest: '2.0.0' },
    versions: { '1.0.0': version('1.0.0', {}), '2.0.0': version('2.0.0', { 'is-nowhere-at-all': '1.0.0' }) },
    time: { created: oldDay, modified: newDay, '1.0.0': oldDay, '2.0.0': newDay },
  };
}

/** A package that wants another version of `brittle` beside it than there is. */
function lamp() {
  const integrity = `sha512-${createHash('sha512')
    .update(files.get('lamp-1.0.0.tgz') ?? '')
    .digest('base64')}`;
  const dist = { tarball: `${address()}/lamp/-/lamp-1.0.0.tgz`, integrity };
  const version = { name: 'lamp', version: '1.0.0', peerDependencies: { brittle: '^3.0.0' }, dist };
  return { name: 'lamp', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version }, time: { created: oldDay, '1.0.0': oldDay } };
}

function tarOf(folder: string, content: Record<string, string>): Buffer {
  const at = mkdtempSync(join(home, 'tar-'));
  mkdirSync(join(at, folder));
  for (const [name, text] of Object.entries(content)) writeFileSync(join(at, folder, name), text);
  return execFileSync('tar', ['-cz', '-C', at, folder]);
}

before(async () => {
  const wheel = writeWheel({ name: 'brittle', version: '1.0', source: 'version = "1.0"\n' });
  files.set('brittle-1.0-py3-none-any.whl', wheel);
  const broken = {
    'PKG-INFO': 'Metadata-Version: 2.1\nName: brittle\nVersion: 2.0\n',
    'pyproject.toml': '[build-system]\nrequires = []\nbuild-backend = "broken"\nbackend-path = ["."]\n',
    'broken.py': 'raise RuntimeError("made for another compiler")\n',
  };
  files.set('brittle-2.0.tar.gz', tarOf('brittle-2.0', broken));
  for (const version of ['1.0.0', '2.0.0'])
    files.set(`brittle-${version}.tgz`, tarOf('package', { 'package.json': json({ name: 'brittle', version }), 'index.js': '' }));
  files.set('lamp-1.0.0.tgz', tarOf('package', { 'package.json': json({ name: 'lamp', version: '1.0.0' }), 'index.js': '' }));
  const tools = toolStore(dataDir, toolchains, signal);
  await tools.uv();
  for (const name of ['npm', 'pnpm', 'bun', 'yarn-berry'] satisfies ToolName[]) await tools.packageManager(name);
  await new Promise<void>((done) => index.listen(0, '127.0.0.1', done));
  process.env.UV_DEFAULT_INDEX = `${address()}/simple/`;
  process.env.npm_config_registry = `${address()}/`;
});
after(() => index.close());

let count = 0;
async function built(agent: Record<string, string>, day: string, lines: string[] = []): Promise<BuildResult> {
  const zipPath = join(home, `${count++}.zip`);
  writeFileSync(zipPath, writeZip(Object.entries(agent).map(([name, data]) => ({ name, data, date: new Date(day) }))));
  const onLine = (_: string, text: string) => lines.push(text);
  // Teams share no caches, so each build queries the index.
  return build({ zipPath, settings: {}, teamId: `t${count}`, dataDir, run: trialRunner(), toolchains, signal, onLine });
}

const python = { 'pyproject.toml': '[project]\nname = "a"\nversion = "1"\ndependencies = ["brittle"]\n', 'main.py': 'import brittle\n' };

test('Python packages whose newest versions fail are installed as of the archive’s newest date, and that is said', async () => {
  const lines: string[] = [];
  const { warnings, mounts } = await built(python, '2021-06-01', lines);
  assert.match(lines.join('\n'), /made for another compiler[^]*Trying the versions of 2021-06-01, the newest date in the archive/);
  assert.match(warnings.join('\n'), /The newest versions could not be installed, so those of 2021-06-01, .*were taken\. Add a lock file/);
  const lib = join(mounts.find(({ at }) => at === '/app/.venv')?.from ?? '', 'lib');
  const packages = readdirSync(join(lib, readdirSync(lib)[0] ?? '', 'site-packages'));
  assert.ok(packages.includes('brittle-1.0.dist-info'), packages.join());
});

test('an archive of these days, or one that is older than all versions, fails with the first cause', async () => {
  const lines: string[] = [];
  for (const day of [new Date().toISOString(), '2019-01-01'])
    await assert.rejects(
      built(python, day, lines),
      (error: unknown) => error instanceof BuildError && /made for another compiler/.test(error.message) && !/2019/.test(error.message),
    );
  assert.match(lines.join('\n'), /These failed, too\./);
});

test('an index that tells no dates is said to be the reason', async (t) => {
  tellsDates = false;
  t.after(() => (tellsDates = true));
  const lines: string[] = [];
  await assert.rejects(built(python, '2021-06-01', lines), /made for another compiler|brittle/);
  assert.match(lines.join('\n'), /does not tell when its files were published/);
});

test('what is added beside a lock is of the archive’s time, as the lock is', async () => {
  const locked = {
    'pyproject.toml': '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = []\n',
    'uv.lock': 'version = 1\nrequires-python = ">=3.9"\n\n[[package]]\nname = "a"\nversion = "1"\nsource = { virtual = "." }\n',
    'paddock.yaml': 'packages: brittle\nstart: python main.py\n',
    'main.py': '',
  };
  const { mounts } = await built(locked, '2021-06-01');
  const lib = join(mounts.find(({ at }) => at === '/app/.venv')?.from ?? '', 'lib');
  const packages = readdirSync(join(lib, readdirSync(lib)[0] ?? '', 'site-packages'));
  assert.ok(packages.includes('brittle-1.0.dist-info'), packages.join());
});

test('a Node package that is added beside a lock is of the archive’s time too', async () => {
  const lock = { name: 'a', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'a', version: '1.0.0' } } };
  const agent = {
    'package.json': json({ name: 'a', version: '1.0.0' }),
    'package-lock.json': json(lock),
    'paddock.yaml': 'packages: brittle\nstart: node server.js\n',
    'server.js': '',
  };
  const lines: string[] = [];
  const { warnings, mounts } = await built(agent, '2021-06-01', lines);
  const packages = mounts.find(({ at }) => at === '/app/node_modules')?.from ?? '';
  assert.match(readFileSync(join(packages, 'brittle/package.json'), 'utf8'), /"1\.0\.0"/);
  assert.doesNotMatch(`${lines.join('\n')}${warnings.join('\n')}`, /newest/, 'the newest version was not tried');
});

const node: Record<string, Record<string, string>> = {
  npm: {},
  pnpm: { packageManager: 'pnpm@10.34.8' },
  bun: { packageManager: 'bun@1.4.5' },
  'yarn-berry': { packageManager: 'yarn@4.18.1' },
};

for (const [manager, more] of Object.entries(node))
  test(`${manager} takes the versions of the archive’s newest date when the newest fail`, async () => {
    const agent = { 'package.json': json({ name: 'a', dependencies: { brittle: '>=1' }, ...more }), 'server.js': '' };
    const settings = { '.yarnrc.yml': `npmRegistryServer: "${address()}"\nunsafeHttpWhitelist: ["127.0.0.1"]\n` };
    const { warnings, mounts } = await built({ ...agent, ...(manager === 'yarn-berry' ? settings : {}) }, '2021-06-01');
    assert.match(warnings.join('\n'), /The newest versions could not be installed, so those of 2021-06-01/);
    const packages = mounts.find(({ at }) => at === '/app/node_modules')?.from ?? '';
    assert.equal((JSON.parse(readFileSync(join(packages, 'brittle/package.json'), 'utf8')) as { version: string }).version, '1.0.0');
  });

test('peers that npm refuses are installed all the same, as their author did, and that is said', async () => {
  const agent = { 'package.json': json({ name: 'a', dependencies: { brittle: '1.0.0', lamp: '1.0.0' } }), 'server.js': '' };
  for (const day of [new Date().toISOString(), '2021-06-01']) {
    const { warnings, mounts } = await built(agent, day);
    assert.match(
      warnings.join('\n'),
      /lamp@1\.0\.0 needs brittle@\^3\.0\.0, but the dependencies ask for brittle@1\.0\.0\. They were installed all the same, as with npm’s --legacy-peer-deps\./,
    );
    const packages = mounts.find(({ at }) => at === '/app/node_modules')?.from ?? '';
    for (const name of ['brittle', 'lamp']) assert.match(readFileSync(join(packages, name, 'package.json'), 'utf8'), /"1\.0\.0"/);
  }
});

/** npm's lock file of an agent that depends on these packages, with addresses at a host of its author. */
function lockOf(dependencies: Record<string, string>, versions = dependencies): string {
  const entry = ([name, version]: [string, string]) => [
    `node_modules/${name}`,
    {
      version,
      resolved: `http://127.0.0.1:1/npm/${name}/-/${name}-${version}.tgz`,
      integrity: `sha512-${createHash('sha512')
        .update(files.get(`${name}-${version}.tgz`) ?? '')
        .digest('base64')}`,
    },
  ];
  const packages = { '': { name: 'a', dependencies }, ...Object.fromEntries(Object.entries(versions).map(entry)) };
  return json({ name: 'a', lockfileVersion: 3, packages });
}

test('a lock that names the author’s own registry is installed from the registry at hand, by the lock’s digests', async () => {
  const agent = {
    'package.json': json({ name: 'a', dependencies: { brittle: '1.0.0' } }),
    'package-lock.json': lockOf({ brittle: '1.0.0' }),
    'server.js': '',
  };
  const { warnings, mounts, app_dir } = await built(agent, '2021-06-01');
  assert.match(
    warnings.join('\n'),
    /package-lock\.json names 127\.0\.0\.1:1 \(1 times\), which this machine doesn’t reach\. The same files, by the digests in package-lock\.json, were taken from its own registry\./,
  );
  const packages = mounts.find(({ at }) => at === '/app/node_modules')?.from ?? '';
  assert.match(readFileSync(join(packages, 'brittle/package.json'), 'utf8'), /"1\.0\.0"/);
  assert.equal(readFileSync(join(app_dir, 'package-lock.json'), 'utf8'), agent['package-lock.json'], 'the archive’s own file stays');
  const other = { ...agent, 'package-lock.json': agent['package-lock.json'].replace(/sha512-.{4}/, 'sha512-AAAA') };
  await assert.rejects(built(other, '2021-06-01'), /is not the one that the lock file names: their checksums differ/);
});

test('a lock with a version that is gone is left out, also where its peers exclude each other', async () => {
  const agent = {
    'package.json': json({ name: 'a', dependencies: { brittle: '>=1.0.0 <2', lamp: '1.0.0' } }),
    'package-lock.json': lockOf({ brittle: '>=1.0.0 <2', lamp: '1.0.0' }, { brittle: '1.5.0', lamp: '1.0.0' }).replaceAll(
      'http://127.0.0.1:1/npm',
      address(),
    ),
    'server.js': '',
  };
  const { warnings } = await built(agent, '2021-06-01');
  assert.match(warnings.join('\n'), /There is no version brittle@1\.5\.0 in the registry\. package-lock\.json names it/);
  assert.match(warnings.join('\n'), /They were installed all the same, as with npm’s --legacy-peer-deps\./);
});

const hash = `sha512-${Buffer.alloc(64).toString('base64')}`;
/** Locks whose version of `brittle` is no longer in the registry. */
const goneLocks: Record<string, Record<string, string>> = {
  npm: {
    'package-lock.json': json({
      name: 'a',
      lockfileVersion: 3,
      packages: { '': { name: 'a', dependencies: { brittle: '^1.0.0' } }, 'node_modules/brittle': { version: '1.5.0', integrity: hash } },
    }),
  },
  pnpm: {
    'pnpm-lock.yaml': `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      brittle:\n        specifier: ^1.0.0\n        version: 1.5.0\npackages:\n  brittle@1.5.0:\n    resolution: {integrity: ${hash}}\nsnapshots:\n  brittle@1.5.0: {}\n`,
  },
  bun: {
    'bun.lock': `{"lockfileVersion": 1, "workspaces": {"": {"name": "a", "dependencies": {"brittle": "^1.0.0"}}}, "packages": {"brittle": ["brittle@1.5.0", "", {}, "${hash}"]}}`,
  },
};
for (const [manager, lock] of Object.entries(goneLocks))
  test(`a version in a lock of ${manager} that was taken back is no end: others are taken, of the archive’s date where it is older, and that is said`, async () => {
    const agent = { 'package.json': json({ name: 'a', dependencies: { brittle: '^1.0.0' } }), ...lock, 'server.js': '' };
    for (const [day, says] of [
      ['2021-06-01', /There is no version brittle@1\.5\.0 in the registry\. .*lock.* names it, so the versions of 2021-06-01, /],
      ['2019-01-01', /so the versions that are newest were taken/],
      [new Date().toISOString(), /There is no version brittle@1\.5\.0 .* so the versions that are newest were taken; make the lock file/],
    ] as const) {
      const { warnings, mounts, app_dir } = await built(agent, day);
      assert.match(warnings.join('\n'), says);
      const modules = mounts.find(({ at }) => at === '/app/node_modules')?.from ?? '';
      assert.match(readFileSync(join(modules, 'brittle/package.json'), 'utf8'), /"1\.0\.0"/);
      for (const [name, text] of Object.entries(lock))
        assert.equal(readFileSync(join(app_dir, name), 'utf8'), text, 'the lock stays as it is');
    }
  });

test('a version that package.json itself asks for and that is nowhere is told, whatever the lock', async () => {
  const lock = (goneLocks.npm?.['package-lock.json'] ?? '').replace('^1.0.0', '1.5.0');
  const agent = { 'package.json': json({ name: 'a', dependencies: { brittle: '1.5.0' } }), 'package-lock.json': lock, 'server.js': '' };
  await assert.rejects(built(agent, '2021-06-01'), /There is no version brittle@1\.5\.0 in the registry\.$/);
});
