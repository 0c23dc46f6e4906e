// Install scripts that download a program from a host that builds do not reach, with the real clients.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sized } from '../../../../scripts/test/size.ts';
import { openBuilds } from '../../test/build-files.ts';
import { tarball } from '../../test/tarball.ts';
import { explain } from './explain-failure.ts';
import { fillNodeHeaders } from './node-headers.ts';

const { home, buildFiles } = await openBuilds();

function packed(name: string, files: Record<string, string>): Buffer {
  const own = { 'package.json': JSON.stringify({ name, version: '1.0.0', scripts: { install: 'node install.js' } }), ...files };
  return tarball(Object.entries(own).map(([path, text]) => ({ name: `package/${path}`, text }))).bytes;
}

const fetching = packed('fetcher', { 'install.js': "require('node:https').get('https://programs.invalid/tool');\n" });
const making = packed('maker', { 'install.js': "require('node:fs').writeFileSync('made.txt', 'made');\n" });
const breaking = packed('breaker', { 'install.js': "throw new Error('no such platform');\n" });

const pinned = {
  npm: {},
  pnpm: { packageManager: 'pnpm@10.34.8', pnpm: { onlyBuiltDependencies: ['fetcher@file:fetcher.tgz', 'maker@file:maker.tgz'] } },
  yarn: { packageManager: 'yarn@1.22.22' },
  bun: { packageManager: 'bun@1.4.5', trustedDependencies: ['fetcher', 'maker'] },
};
const managers = sized<(keyof typeof pinned)[]>({ short: ['npm', 'pnpm'], long: ['npm', 'pnpm', 'yarn', 'bun'] });

function project(manager: keyof typeof pinned, names: string[]): string {
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:./${name}.tgz`]));
  return JSON.stringify({ name: 'a', version: '1.0.0', ...pinned[manager], dependencies });
}

for (const manager of managers)
  test(`with ${manager} a package whose install script reaches no host is installed without its program and named, and the next build tries again`, async () => {
    const files = {
      'index.js': '',
      'package.json': project(manager, ['fetcher', 'maker']),
      'fetcher.tgz': fetching,
      'maker.tgz': making,
    };
    const { plan, mounts, app_dir, key } = await buildFiles(files);
    assert.deepEqual(
      plan.unfetched?.map(({ name }) => name),
      ['fetcher'],
    );
    const told = plan.warnings.find((one) => one.startsWith('fetcher is installed without what its install script fetches.'));
    assert.match(told ?? '', /It needs programs\.invalid, which this machine doesn’t reach/);
    const packages = mounts.find(({ at }) => at.endsWith('/node_modules'))?.from ?? join(app_dir, 'node_modules');
    assert.equal(readFileSync(join(packages, 'maker/made.txt'), 'utf8'), 'made', 'scripts of others run');
    assert.ok(existsSync(join(packages, 'fetcher/install.js')));

    const again = await buildFiles(files);
    assert.notEqual(again.key, key);
    assert.deepEqual({ installed: again.installed, reused: again.reused }, { installed: true, reused: false });
  });

test('an install script that fails for a reason of its own fails the build, also beside one that reaches no host', async () => {
  const files = {
    'index.js': '',
    'package.json': project('npm', ['breaker', 'fetcher']),
    'breaker.tgz': breaking,
    'fetcher.tgz': fetching,
  };
  await assert.rejects(buildFiles(files), /The install script of breaker failed/);
});

test('a package that could be compiled in place of its download names what the compiler lacks', () => {
  const lines = [
    'prebuild-install warn install getaddrinfo ENOTFOUND github.com',
    'gyp ERR! stack Error: not found: make',
    'npm error path /app/node_modules/sqlite3',
  ];
  assert.match(explain(lines).reason, /^sqlite3 has to be compiled here and needs the program make, which this machine lacks\./);
});

test('what packages are compiled with comes from the Node of the machine, if it is of that major', async () => {
  const machine = join(home, 'node');
  mkdirSync(join(machine, 'include/node'), { recursive: true });
  writeFileSync(join(machine, 'include/node/node_version.h'), '#define NODE_MAJOR_VERSION 24\n');
  const request = { ownPath: join(machine, 'bin/node'), python: undefined, signal: AbortSignal.timeout(10_000) };
  await fillNodeHeaders(join(home, 'headers'), { ...request, version: '24.1.0' });
  assert.ok(existsSync(join(home, 'headers/include/node/node_version.h')));
  await assert.rejects(fillNodeHeaders(join(home, 'none'), { ...request, version: '99.0.0' }), /no Python that could fetch them/);
});
