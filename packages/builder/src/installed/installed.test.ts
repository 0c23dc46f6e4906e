import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { Plan } from '../plan.ts';
import { installedPackages } from './installed-packages.ts';
import type { PackagePlace } from './package.ts';
import { readPlaces } from './read-places.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-installed-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;

function tree(files: Record<string, string>): string {
  const root = join(home, `${count++}`);
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
const read = (root: string, kind: PackagePlace['kind'] = 'app') => {
  const { packages, is_partial } = readPlaces([{ root, kind }]);
  return { names: packages.map((one) => `${one.name}@${one.version}`), is_partial, packages };
};
const npm = (name: string, version: string, more: object = {}) => JSON.stringify({ name, version, ...more });

test('finds packages with scopes, packages within packages, and those that pnpm keeps beside', () => {
  const root = tree({
    'a/package.json': npm('a', '1.0.0', { license: 'MIT' }),
    'a/node_modules/b/package.json': npm('b', '2.0.0-rc.1'),
    '@own/c/package.json': npm('@own/c', '3.0.0', { license: { type: 'ISC' } }),
    '.bin/not': '',
    '.pnpm/d@4.0.0/node_modules/d/package.json': npm('d', '4.0.0'),
  });
  const { names, is_partial, packages } = read(root, 'node_modules');
  assert.deepEqual(names, ['@own/c@3.0.0', 'a@1.0.0', 'b@2.0.0-rc.1', 'd@4.0.0']);
  assert.equal(is_partial, false);
  assert.deepEqual(packages.map((one) => one.license).slice(0, 2), ['ISC', 'MIT']);
});

test('finds Python packages by their metadata, and not by what the description says', () => {
  const root = tree({
    'lib/python3.11/site-packages/Flask_Thing-1.2.dist-info/METADATA':
      'Metadata-Version: 2.1\nName: Flask_Thing\nVersion: 1.2\nLicense-Expression: BSD-3-Clause\n\nName: evil\nVersion: 9\n',
    'lib/python3.11/site-packages/old.egg-info/PKG-INFO': 'Name: old\nVersion: 0.1\n',
    'lib/python3.11/site-packages/other/__init__.py': '',
  });
  const { names, packages } = read(root, 'venv');
  assert.deepEqual(names, ['Flask_Thing@1.2', 'old@0.1']);
  assert.equal(packages[0]?.license, 'BSD-3-Clause');
});

test('finds packages that an archive brings along, wherever they lie', () => {
  const metadata = (name: string) => `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`;
  const root = tree({
    'agent/main.py': '',
    'vendor/vendored-1.0.dist-info/METADATA': metadata('vendored'),
    'lib/python3.12/site-packages/committed-1.0.dist-info/METADATA': metadata('committed'),
    'agent/third_party/old.egg-info/PKG-INFO': metadata('old'),
    'tools/deep/node_modules/nested/package.json': npm('nested', '1.0.0'),
    'tools/deep/node_modules/nested/node_modules/inner/package.json': npm('inner', '2.0.0'),
    'tools/package.json': npm('not-installed', '1.0.0'),
  });
  const { names, is_partial } = read(root);
  assert.deepEqual(names, ['committed@1.0', 'old@1.0', 'vendored@1.0', 'inner@2.0.0', 'nested@1.0.0']);
  assert.equal(is_partial, false);
});

test('files of strangers break nothing, and make the list partial', () => {
  const hostile: [string, (root: string) => void][] = [
    ['text that is no JSON', (root) => writeFileSync(join(root, 'node_modules/x/package.json'), '{')],
    ['a name that is none', (root) => writeFileSync(join(root, 'node_modules/x/package.json'), npm('<script>', '1'))],
    ['a version that is none', (root) => writeFileSync(join(root, 'node_modules/x/package.json'), '{"name":"x","version":[1]}')],
    ['too large', (root) => writeFileSync(join(root, 'node_modules/x/package.json'), `{"name":"x","pad":"${'a'.repeat(600_000)}"}`)],
    ['deeply nested', (root) => writeFileSync(join(root, 'node_modules/x/package.json'), '['.repeat(200_000))],
    ['a link out of the folder', (root) => symlinkSync('/etc/hostname', join(root, 'node_modules/x/package.json'))],
    ['a pipe that nobody writes to', (root) => spawnSync('mkfifo', [join(root, 'node_modules/x/package.json')])],
  ];
  for (const [what, make] of hostile) {
    const root = tree({ 'node_modules/a/package.json': npm('a', '1.0.0'), 'node_modules/x/readme': '' });
    make(root);
    const { names, is_partial } = read(root);
    assert.deepEqual(names, ['a@1.0.0'], what);
    assert.equal(is_partial, true, what);
  }
});

test('a circle of links is not followed', () => {
  const root = tree({ 'node_modules/a/package.json': npm('a', '1.0.0') });
  symlinkSync('..', join(root, 'node_modules/a/node_modules'));
  assert.deepEqual(read(root).names, ['a@1.0.0']);
});

test('an artifact is read in a thread: its source and what is mounted over it', async () => {
  const app_dir = tree({ 'agent/node_modules/own/package.json': npm('own', '1.0.0') });
  const layer = tree({ 'mounted/package.json': npm('mounted', '2.0.0') });
  const artifact = {
    key: 'k',
    app_dir,
    plan: { root: 'agent' } as Plan,
    mounts: [
      { from: layer, at: '/app/agent/node_modules' },
      { from: '/usr', at: '/opt/paddock/node' },
    ],
    cwd: '',
    command: [],
    env: {},
    warnings: [],
    layer_keys: [],
  };
  const { packages } = await installedPackages(artifact, AbortSignal.timeout(20_000));
  assert.deepEqual(
    packages.map((one) => one.name),
    ['mounted', 'own'],
  );
  await assert.rejects(installedPackages(artifact, AbortSignal.abort(new Error('cancelled'))), /cancelled/);
  let started = 0;
  const count = () => (started += 1);
  process.on('worker', count);
  const other = { ...artifact, app_dir: tree({ 'node_modules/other/package.json': npm('other', '1.0.0') }), mounts: [] };
  const names = (await installedPackages(other, AbortSignal.timeout(20_000))).packages.map(({ name }) => name);
  process.off('worker', count);
  assert.deepEqual([names, started], [['other'], 0], 'the same thread');
});
