// Packages that a user adds to those of the archive, with the real clients.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBuilds } from '../../test/build-files.ts';
import type { BuildResult } from '../build.ts';
import type { BuildError } from '../build-error.ts';
import { addToPackageJson } from './add-to-package-json.ts';

const { home, buildFiles } = await openBuilds();

/** Output of the last build. */
let said: string[] = [];

async function built(files: Record<string, string>, packages: string[] = [], root?: string): Promise<BuildResult> {
  said = [];
  return buildFiles(files, { packages, ...(root === undefined ? {} : { root }) }, (line) => void said.push(line));
}

const layerOf = ({ mounts }: BuildResult, at: string) => mounts.find((mount) => mount.at === at)?.from ?? '';
const hasPython = (result: BuildResult, name: string) => {
  const minor = result.plan.version?.split('.').slice(0, 2).join('.');
  return existsSync(join(layerOf(result, '/app/.venv'), 'lib', `python${minor}`, 'site-packages', name));
};
const hasNode = (result: BuildResult, name: string) => existsSync(join(layerOf(result, '/app/node_modules'), name));

const pythons: [what: string, files: Record<string, string>][] = [
  ['beside a requirements.txt', { 'requirements.txt': 'idna\n', 'main.py': '' }],
  [
    'beside a poetry.lock',
    {
      'pyproject.toml': '[tool.poetry.dependencies]\nidna = "*"\n',
      'poetry.lock': '[[package]]\nname = "idna"\nversion = "3.10"\ngroups = ["main"]\n',
      'main.py': '',
    },
  ],
];
for (const [what, files] of pythons)
  test(`packages are installed ${what}, and the archive’s own files stay as they are`, async () => {
    const result = await built(files, ['six@1.15.0']);
    assert.ok(hasPython(result, 'idna'));
    assert.ok(hasPython(result, 'six-1.15.0.dist-info'), 'with the version as npm writes it, too');
    for (const [name, text] of Object.entries(files)) assert.equal(readFileSync(join(result.app_dir, name), 'utf8'), text);
    assert.deepEqual(
      result.plan.reasons.filter((one) => one.what === 'packages').map((one) => [one.value, one.because]),
      [['six@1.15.0', 'setting']],
    );
  });

test('packages are installed beside a uv.lock, and its export is a part of that', async () => {
  const files = {
    'pyproject.toml': '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = []\n',
    'uv.lock': 'version = 1\nrequires-python = ">=3.9"\n\n[[package]]\nname = "a"\nversion = "1"\nsource = { virtual = "." }\n',
    'main.py': '',
  };
  const result = await built(files, ['six==1.15.0']);
  assert.equal(hasPython(result, 'six-1.15.0.dist-info'), true);
  assert.doesNotMatch(said.join('\n'), /^error/m);
});

const pinned: [what: string, files: Record<string, string>][] = [
  ['a requirements.txt', { 'requirements.txt': 'starlette==0.27.0\n' }],
  [
    'a poetry.lock',
    {
      'pyproject.toml': '[tool.poetry.dependencies]\nstarlette = "*"\n',
      'poetry.lock': '[[package]]\nname = "starlette"\nversion = "0.27.0"\ngroups = ["main"]\n',
    },
  ],
];
for (const [what, files] of pinned)
  test(`the newest of an added package does not push aside a version of ${what}, unless nothing fits it`, async () => {
    const versionOf = (result: BuildResult) => ['0.27.0', '0.28.0'].filter((one) => hasPython(result, `starlette-${one}.dist-info`));
    const beside = await built({ ...files, 'main.py': '' }, ['fastapi']);
    assert.deepEqual([versionOf(beside), hasPython(beside, 'fastapi')], [['0.27.0'], true]);
    const against = await built({ ...files, 'main.py': '' }, ['starlette==0.28.0']);
    assert.deepEqual(versionOf(against), ['0.28.0']);
  });

test('an agent whose archive names no dependencies gets those that are added, and is recognised by them', async () => {
  const app = { 'app.py': 'import bottle\nimport six\n\napp = bottle.Bottle()\n' };
  const refused: BuildError = await built(app).then(
    () => assert.fail('nothing would be installed'),
    (error) => error,
  );
  assert.deepEqual(refused.choices, [{ packages: 'bottle six', because: 'the source imports them' }]);
  assert.match(refused.hint, /give them as Packages in the build settings \(--packages\): bottle, six\./);
  const result = await built(app, refused.choices[0]?.packages?.split(' '));
  assert.deepEqual([hasPython(result, 'bottle.py'), hasPython(result, 'six.py'), result.plan.framework], [true, true, 'Bottle']);
});

test('paddock.yaml names packages, and those of the person come beside them', async () => {
  const result = await built({ 'paddock.yaml': 'packages: [six, "idna>=3,<4"]\nstart: python main.py\n', 'main.py': '' }, ['certifi']);
  assert.deepEqual(
    ['six.py', 'idna', 'certifi'].map((name) => hasPython(result, name)),
    [true, true, true],
  );
  await assert.rejects(
    built({ 'paddock.yaml': 'packages: --index-url=x\n', 'main.py': '' }),
    /paddock\.yaml:1:11: packages has “--index-url=x”, which is no name/,
  );
});

const lock = (manager: 'npm' | 'none') =>
  manager === 'none'
    ? {}
    : {
        'package-lock.json':
          '{"name": "a", "lockfileVersion": 3, "packages": {"": {"name": "a", "dependencies": {"ms": "^2.1.0"}}, "node_modules/ms": {"version": "2.1.2"}}}',
      };
for (const manager of ['npm', 'none'] as const)
  test(`packages of Node are installed beside package.json, ${manager === 'none' ? 'without a lock file' : 'where the lock file keeps its versions'}`, async () => {
    const files = {
      'package.json': '{"name": "a", "dependencies": {"ms": "^2.1.0"}, "scripts": {"start": "node a.js"}}',
      'a.js': '',
      ...lock(manager),
    };
    const result = await built(files, ['picocolors@1.1.1']);
    assert.ok(hasNode(result, 'picocolors'));
    const { version } = JSON.parse(readFileSync(join(layerOf(result, '/app/node_modules'), 'ms', 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal(version === '2.1.2', manager === 'npm');
    assert.equal(readFileSync(join(result.app_dir, 'package.json'), 'utf8'), files['package.json']);
    assert.equal((await built({ ...files, 'note.txt': '' }, ['picocolors@1.1.1'])).installed, false, 'the layer is shared');
    assert.equal((await built(files)).installed, true, 'but not with an agent without them');
  });

const agent = '{"name": "api", "dependencies": {"ms": "2.1.2"}, "scripts": {"start": "node a.js"}}';
const others: [what: string, files: Record<string, string>, root?: string][] = [
  [
    'pnpm',
    {
      'package.json': agent,
      'a.js': '',
      'pnpm-lock.yaml':
        "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      ms:\n        specifier: 2.1.2\n        version: 2.1.2\npackages:\n  ms@2.1.2:\n    resolution: {integrity: sha512-sGkPx+VjMtmA6MX27oA4FBFELFCZZ4S4XqeGOXCv68tT+jb3vk/RyaKWP0PTKyWtmLSM0b+adUTEvbs1PEaH2w==}\nsnapshots:\n  ms@2.1.2: {}\n",
    },
  ],
  ['yarn', { 'package.json': agent, 'a.js': '', 'yarn.lock': '# yarn lockfile v1\n\n\nms@2.1.2:\n  version "2.1.2"\n' }],
  [
    'bun',
    {
      'package.json': agent,
      'a.js': '',
      'bun.lock':
        '{"lockfileVersion": 1, "workspaces": {"": {"name": "api", "dependencies": {"ms": "2.1.2"}}}, "packages": {"ms": ["ms@2.1.2", "", {}, "sha512-sGkPx+VjMtmA6MX27oA4FBFELFCZZ4S4XqeGOXCv68tT+jb3vk/RyaKWP0PTKyWtmLSM0b+adUTEvbs1PEaH2w=="]}}',
    },
  ],
  [
    'a member of a workspace',
    { 'package.json': '{"name": "top", "workspaces": ["apps/*"]}', 'apps/api/package.json': agent, 'apps/api/a.js': '' },
    'apps/api',
  ],
];
for (const [what, files, root] of others)
  test(`packages are installed by ${what}, beside what its lock file names`, async () => {
    const result = await built(files, ['picocolors@1.1.1'], root);
    const places = [
      layerOf(result, '/app/node_modules'),
      join(result.app_dir, 'node_modules'),
      join(result.app_dir, 'apps/api/node_modules'),
    ];
    assert.deepEqual(
      ['picocolors', 'ms'].map((name) => places.some((place) => existsSync(join(place, name, 'package.json')))),
      [true, true],
    );
  });

test('a script of Node without any package.json gets its packages', async () => {
  const result = await built({ 'server.js': 'require("ms")' }, ['ms']);
  assert.ok(hasNode(result, 'ms'));
});

test('package.json keeps what it says of a package that is added without a version', async () => {
  const folder = mkdtempSync(join(home, 'json-'));
  writeFileSync(join(folder, 'package.json'), '{"name": "a", "dependencies": {"x": "1"}, "devDependencies": {"y": "2"}}');
  await addToPackageJson(folder, ['x', 'y', '@s/z@^3', 'w==4.0.0', 'v']);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: object };
  assert.deepEqual(dependencies, { x: '1', y: '2', '@s/z': '^3', w: '4.0.0', v: '*' });
});

test('a build that misses a package offers it', async () => {
  const files = {
    'package.json': '{"name": "a", "scripts": {"build": "node build.mjs", "start": "node a.js"}}',
    'a.js': '',
    'build.mjs': 'import "picocolors";',
  };
  const refused: BuildError = await built(files).then(
    () => assert.fail('the build cannot end well'),
    (error) => error,
  );
  assert.deepEqual(refused.choices, [{ packages: 'picocolors', because: 'what failed imports it' }]);
  assert.ok(hasNode(await built(files, ['picocolors']), 'picocolors'));
});

test('a build whose program no dependency brings offers the package that does', async () => {
  const files = { 'package.json': '{"name": "a", "scripts": {"build": "rimraf old", "start": "node a.js"}}', 'a.js': '' };
  const refused: BuildError = await built(files).then(
    () => assert.fail('the build cannot end well'),
    (error) => error,
  );
  assert.match(refused.message, /^The program rimraf is not there, which the package rimraf brings\./);
  assert.deepEqual(refused.choices, [{ packages: 'rimraf', because: 'it brings rimraf' }]);
  assert.ok(hasNode(await built(files, ['rimraf']), 'rimraf'));
});
