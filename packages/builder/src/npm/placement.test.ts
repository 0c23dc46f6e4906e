import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computePlacement } from './placement.ts';

const target = { os: 'linux', cpu: 'x64', libc: 'glibc', node: '24.1.0', npm: '11.0.0' };
const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
const entry = (version: string, more: object = {}) => ({
  version,
  resolved: `https://registry.npmjs.org/x/-/x-${version}.tgz`,
  integrity,
  ...more,
});

interface Tree {
  project?: Record<string, unknown>;
  root?: Record<string, unknown>;
  packages: Record<string, object>;
  omitDev?: boolean;
}

/** The paths at which packages would be placed; undefined if npm has to install them. */
async function paths({ project = { dependencies: { a: '^1.0.0' } }, root = project, packages, omitDev = false }: Tree) {
  const lock = JSON.stringify({ name: 'p', lockfileVersion: 3, requires: true, packages: { '': root, ...packages } });
  const placement = await computePlacement({ packageJson: JSON.stringify(project), lock, omitDev, target });
  return placement?.packages.map(({ path }) => path.replaceAll('node_modules/', ''));
}

const a = { 'node_modules/a': entry('1.2.0') };

test('a package of the lock file is placed at its path, also below another one, and what npm writes beside them names both', async () => {
  const packages = {
    'node_modules/a': entry('1.2.0', { dependencies: { b: '^2.0.0' } }),
    'node_modules/a/node_modules/b': entry('2.1.0'),
    'node_modules/b': entry('1.0.0'),
  };
  const project = { dependencies: { a: '^1.0.0', b: '1.0.0' } };
  assert.deepEqual(await paths({ project, packages }), ['a', 'a/b', 'b']);
  const lock = JSON.stringify({ name: 'p', lockfileVersion: 3, packages: { '': project, ...packages } });
  const placed = await computePlacement({ packageJson: JSON.stringify(project), lock, omitDev: false, target });
  assert.deepEqual(Object.keys((JSON.parse(placed!.installed) as { packages: object }).packages), Object.keys(packages));
});

test('packages for development are left out where npm would leave them out', async () => {
  const project = { dependencies: { a: '1.2.0' }, devDependencies: { d: '1.0.0' } };
  const packages = { ...a, 'node_modules/d': entry('1.0.0', { dev: true }) };
  assert.deepEqual(await paths({ project, packages, omitDev: true }), ['a']);
  assert.deepEqual(await paths({ project, packages }), ['a', 'd']);
});

test('an optional package for another system is left out with what only such packages need', async () => {
  const project = { dependencies: { a: '1.2.0' } };
  const packages = {
    'node_modules/a': entry('1.2.0', {
      optionalDependencies: { mac: '1.0.0', wasm: '1.0.0', here: '1.0.0' },
      dependencies: { shared: '1.0.0' },
    }),
    'node_modules/here': entry('1.0.0', { optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] }),
    'node_modules/mac': entry('1.0.0', { optional: true, os: ['darwin'], dependencies: { core: '1.0.0', shared: '1.0.0' } }),
    'node_modules/wasm': entry('1.0.0', { optional: true, cpu: ['wasm32'], dependencies: { core: '1.0.0' } }),
    'node_modules/core': entry('1.0.0', { optional: true }),
    'node_modules/shared': entry('1.0.0'),
    'node_modules/old': entry('1.0.0', { optional: true, engines: { node: '<20' } }),
  };
  const withOld = { ...project, optionalDependencies: { old: '1.0.0' } };
  assert.deepEqual(await paths({ project: withOld, packages }), ['a', 'here', 'shared']);
});

test('a package without an address in the lock file comes from the usual one', async () => {
  const project = { dependencies: { '@s/a': '1.2.0' } };
  const packages = { 'node_modules/@s/a': entry('1.2.0', { resolved: undefined }) };
  const lock = JSON.stringify({ lockfileVersion: 3, packages: { '': project, ...packages } });
  const placed = await computePlacement({ packageJson: JSON.stringify(project), lock, omitDev: false, target });
  assert.equal(placed!.packages[0]!.url, 'https://registry.npmjs.org/@s/a/-/a-1.2.0.tgz');
});

test('of two packages with a program of one name, the program is that of the first, as npm has it', async () => {
  const packages = {
    'node_modules/jest-cli': entry('1.0.0', { bin: { jest: 'bin/cli.js' } }),
    'node_modules/jest': entry('1.0.0', { bin: { jest: './bin/jest.js' }, dependencies: { 'jest-cli': '1.0.0' } }),
  };
  const project = { dependencies: { jest: '1.0.0' } };
  const lock = JSON.stringify({ lockfileVersion: 3, packages: { '': project, ...packages } });
  const placed = await computePlacement({ packageJson: JSON.stringify(project), lock, omitDev: false, target });
  assert.deepEqual(
    placed!.packages.map(({ bin }) => bin),
    [{}, { jest: 'bin/jest.js' }],
  );
});

const forNpm: Record<string, Tree> = {
  'a lock of another version': { packages: { 'node_modules/a': entry('2.0.0') } },
  'a dependency that the lock lacks': {
    project: { dependencies: { a: '^1.0.0', b: '1' } },
    root: { dependencies: { a: '^1.0.0' } },
    packages: a,
  },
  'a dependency that package.json names no more': {
    root: { dependencies: { a: '^1.0.0', b: '1' } },
    packages: { ...a, 'node_modules/b': entry('1.0.0') },
  },
  'a package that depends on one that is not there': { packages: { 'node_modules/a': entry('1.2.0', { dependencies: { b: '1' } }) } },
  'a package that nothing requires': { packages: { ...a, 'node_modules/b': entry('1.0.0') } },
  'a peer that need not be there': {
    packages: {
      'node_modules/a': entry('1.2.0', { peerDependencies: { b: '1' }, peerDependenciesMeta: { b: { optional: true } } }),
      'node_modules/b': entry('1.0.0', { optional: true, peer: true }),
    },
  },
  'a required package for another system': { packages: { 'node_modules/a': entry('1.2.0', { os: ['win32'] }) } },
  'a required package for another Node': { packages: { 'node_modules/a': entry('1.2.0', { engines: { node: '<20' } }) } },
  'a link to a folder of the project': { packages: { 'node_modules/a': { resolved: 'lib/a', link: true } } },
  'a package from a git repository': { packages: { 'node_modules/a': entry('1.2.0', { resolved: 'git+ssh://git@github.com/a/a.git#0' }) } },
  'a package without a digest': { packages: { 'node_modules/a': entry('1.2.0', { integrity: undefined }) } },
  'a package that brings others': { packages: { 'node_modules/a': entry('1.2.0', { bundleDependencies: ['b'] }) } },
  'a path out of the project': { packages: { 'node_modules/a': entry('1.2.0'), 'node_modules/../../etc': entry('1.0.0') } },
  'a program out of its package': { packages: { 'node_modules/a': entry('1.2.0', { bin: { a: '../../../etc/passwd' } }) } },
  'a program with a path for a name': { packages: { 'node_modules/a': entry('1.2.0', { bin: { '../a': 'a.js' } }) } },
  overrides: { project: { dependencies: { a: '^1.0.0' }, overrides: { b: '1' } }, packages: a },
  workspaces: { project: { dependencies: { a: '^1.0.0' }, workspaces: ['p'] }, packages: a },
};
for (const [what, tree] of Object.entries(forNpm))
  test(`npm has to install: ${what}`, async () => {
    assert.equal(await paths(tree), undefined);
  });

test('npm has to read what is no lock file', async () => {
  for (const lock of ['', '{', '[]', 'null', '{"lockfileVersion":1}', '{"lockfileVersion":3,"packages":{"":null}}'])
    assert.equal(await computePlacement({ packageJson: '{}', lock, omitDev: false, target }), undefined, lock);
});
