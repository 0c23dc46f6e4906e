// Locks that no longer match, with the real clients: the versions that are resolved again, and the messages.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBuilds } from '../../test/build-files.ts';
import type { BuildResult } from '../build.ts';

const { buildFiles: built } = await openBuilds();

const layerOf = ({ mounts }: BuildResult, at: string) => mounts.find((mount) => mount.at === at)?.from ?? '';
const versionIn = (result: BuildResult, name: string) =>
  (JSON.parse(readFileSync(join(layerOf(result, '/app/node_modules'), name, 'package.json'), 'utf8')) as { version: string }).version;
function pythonHas(result: BuildResult, name: string): boolean {
  const lib = join(layerOf(result, '/app/.venv'), 'lib');
  const minor = result.plan.version?.split('.').slice(0, 2).join('.');
  return existsSync(join(lib, `python${minor}`, 'site-packages', name));
}

const project = '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["six", "idna"]\n';
const locked = '[[package]]\nname = "six"\nversion = "1.15.0"\ngroups = ["main"]\n';
const pipfile = '[packages]\nsix = "*"\nidna = "*"\n';
const pythonLocks: Record<string, { files: Record<string, string>; says: RegExp }> = {
  'poetry.lock': {
    files: { 'pyproject.toml': project, 'poetry.lock': locked },
    says: /poetry\.lock doesn’t fit pyproject\.toml: it lacks "idna"\..*`poetry lock`/,
  },
  'pdm.lock': {
    files: { 'pyproject.toml': project, 'pdm.lock': '[[package]]\nname = "six"\nversion = "1.15.0"\n' },
    says: /it lacks "idna"\..*`pdm lock`/,
  },
  'Pipfile.lock': {
    files: { Pipfile: pipfile, 'Pipfile.lock': '{"default": {"six": {"version": "==1.15.0"}}}' },
    says: /Pipfile\.lock doesn’t fit Pipfile: it lacks "idna"\..*`pipenv lock`/,
  },
  'uv.lock': {
    files: {
      'pyproject.toml': project,
      'uv.lock':
        'version = 1\nrequires-python = ">=3.9"\n[[package]]\nname = "a"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "six" }]\n[package.metadata]\nrequires-dist = [{ name = "six" }]\n[[package]]\nname = "six"\nversion = "1.15.0"\nsource = { registry = "https://index.example/simple" }\n',
    },
    says: /uv\.lock doesn’t fit pyproject\.toml: it lacks "idna"\..*`uv lock`/,
  },
};

for (const [lock, { files, says }] of Object.entries(pythonLocks))
  test(`a ${lock} that is out of step is said to be so and resolved anew, for each who uses what was installed`, async () => {
    const agent = { ...files, 'main.py': '' };
    const first = await built(agent);
    assert.match(first.warnings.join('\n'), says);
    assert.ok(pythonHas(first, 'idna'), 'what the lock lacks is installed');
    if (lock !== 'uv.lock') assert.ok(pythonHas(first, 'six-1.15.0.dist-info'), 'the version of the lock stays');
    assert.equal(readFileSync(join(first.app_dir, lock), 'utf8'), files[lock], 'the archive’s own file stays as it is');
    const second = await built({ ...agent, 'note.txt': '' });
    assert.equal(second.installed, false);
    assert.match(second.warnings.join('\n'), says);
  });

test('a lock whose hash is that of its project, as the clients make it, is taken as it is', async () => {
  const files = {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "0.1.0"\nrequires-python = ">=3.11"\ndependencies = ["six>=1.15"]\n[dependency-groups]\ndev = ["certifi"]\n[tool.pdm]\ndistribution = false\n',
    'main.py': '',
  };
  // PDM 2.26 computed this hash for that file.
  const hash = 'c9b4969f18f50978d7d24952ee99518a5cd6450d7e0ce051e7b01c6af8c0399e';
  const lock = (stated: string) => `[metadata]\ncontent_hash = "sha256:${stated}"\n[[package]]\nname = "six"\nversion = "1.15.0"\n`;
  assert.deepEqual((await built({ ...files, 'pdm.lock': lock(hash) })).warnings, []);
  const stale = await built({ ...files, 'pdm.lock': lock('0'.repeat(64)) });
  assert.match(stale.warnings.join('\n'), /pdm\.lock doesn’t fit pyproject\.toml: its hash is of an earlier version of that file/);
  assert.ok(pythonHas(stale, 'six-1.15.0.dist-info'), 'the locked version still fits');
});

test('the hashes of Poetry and Pipenv are those that the clients make', async () => {
  const poetry = {
    'main.py': '',
    'pyproject.toml':
      '[tool.poetry]\nname = "a"\nversion = "0.1.0"\ndescription = "schön"\nauthors = ["A <a@example.com>"]\npackage-mode = false\n[tool.poetry.dependencies]\npython = "^3.11"\nsix = {version = "^1.15", extras = []}\n[tool.poetry.group.dev.dependencies]\nidna = "*"\n',
    'poetry.lock': `${locked}\n[metadata]\ncontent-hash = "63435a2181707fbcb18a80e2ff3dbcb74f4be402ba824f2030886fe68ce07214"\n`,
  };
  assert.deepEqual((await built(poetry)).warnings, []);
  const pipenv = {
    'main.py': '',
    Pipfile:
      '[[source]]\nurl = "https://index.example/simple"\nverify_ssl = true\nname = "pypi"\n[packages]\nsix = "*"\n[dev-packages]\n[requires]\npython_version = "3.11"\n',
    'Pipfile.lock':
      '{"_meta": {"hash": {"sha256": "532bb8ca6a673a8ce7cb532323c512a710f14b6d1ba8afeafaab484f9a7b2ae6"}}, "default": {"six": {"version": "==1.15.0"}}}',
  };
  assert.deepEqual((await built(pipenv)).warnings, []);
});

const wants = (manager: string) =>
  JSON.stringify({ name: 'a', ...(manager === '' ? {} : { packageManager: manager }), dependencies: { ms: '2.1.3' } });
const nodeLocks: Record<string, { files: Record<string, string>; says: RegExp }> = {
  npm: {
    files: {
      'package.json': wants(''),
      'package-lock.json':
        '{"name": "a", "lockfileVersion": 3, "packages": {"": {"name": "a", "dependencies": {"ms": "2.1.2"}}, "node_modules/ms": {"version": "2.1.2"}}}',
    },
    says: /package-lock\.json doesn’t fit package\.json: (Invalid: lock file's ms@2\.1\.2 does not satisfy ms@2\.1\.3|Missing: ms@2\.1\.3)/,
  },
  pnpm: {
    files: {
      'package.json': wants(''),
      'pnpm-lock.yaml':
        "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      ms:\n        specifier: 2.1.2\n        version: 2.1.2\npackages:\n  ms@2.1.2:\n    resolution: {integrity: sha512-sGkPx+VjMtmA6MX27oA4FBFELFCZZ4S4XqeGOXCv68tT+jb3vk/RyaKWP0PTKyWtmLSM0b+adUTEvbs1PEaH2w==}\nsnapshots:\n  ms@2.1.2: {}\n",
    },
    says: /pnpm-lock\.yaml doesn’t fit package\.json/,
  },
  yarn: {
    files: {
      'package.json': wants(''),
      'yarn.lock':
        '# yarn lockfile v1\n\n\nms@2.1.2:\n  version "2.1.2"\n  resolved "https://registry.yarnpkg.com/ms/-/ms-2.1.2.tgz#d09d1f357b443f493382a8eb3ccd183872ae6009"\n',
    },
    says: /yarn\.lock doesn’t fit package\.json/,
  },
  'yarn-berry': {
    files: { 'package.json': wants(''), '.yarnrc.yml': 'nodeLinker: node-modules\n', 'yarn.lock': '__metadata:\n  version: 8\n' },
    says: /yarn\.lock doesn’t fit package\.json/,
  },
  bun: {
    files: {
      'package.json': wants(''),
      'bun.lock':
        '{"lockfileVersion": 1, "workspaces": {"": {"name": "a", "dependencies": {"ms": "2.1.2"}}}, "packages": {"ms": ["ms@2.1.2", "", {}, "sha512-sGkPx+VjMtmA6MX27oA4FBFELFCZZ4S4XqeGOXCv68tT+jb3vk/RyaKWP0PTKyWtmLSM0b+adUTEvbs1PEaH2w=="]}}',
    },
    says: /bun\.lock doesn’t fit package\.json: ms changed from 2\.1\.2 to 2\.1\.3/,
  },
};

for (const [manager, { files, says }] of Object.entries(nodeLocks))
  test(`a lock of ${manager} that is out of step is said to be so and resolved anew`, async () => {
    const first = await built({ ...files, 'server.js': '' });
    assert.match(first.warnings.join('\n'), says);
    assert.equal(versionIn(first, 'ms'), '2.1.3');
    const second = await built({ ...files, 'server.js': '//' });
    assert.match(second.warnings.join('\n'), says);
  });
