// Locks that hold a package in several versions. uv itself resolves the lines, for Pythons and platforms other than this machine's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linkRunTools } from '../../../../scripts/test/run-tools.ts';
import { writeZip } from '../../test/write-zip.ts';
import { openTree } from '../detect/source-tree.ts';
import { findToolchains } from '../install/toolchain.ts';
import { toolStore } from '../install/tools.ts';
import { findPyproject, pythonDependencies } from './dependencies.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-versions-'));
after(() => rmSync(home, { recursive: true, force: true }));
const dataDir = join(home, 'data');
const wheels = join(home, 'wheels');
for (const folder of [dataDir, wheels]) mkdirSync(folder);
linkRunTools(dataDir);
const signal = AbortSignal.timeout(600_000);
const toolchains = await findToolchains(signal);
const uv = join((await toolStore(dataDir, toolchains, signal).uv())?.mounts[0]?.from ?? 'no uv', 'uv');

const published: Record<string, string[]> = { arrays: ['1.0', '2.0', '3.0'], sums: ['1.0'], minus: ['1.0'] };
for (const [name, versions] of Object.entries(published))
  for (const version of versions) {
    const info = `${name}-${version}.dist-info`;
    const files = {
      [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
      [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      [`${info}/RECORD`]: '',
    };
    const zip = writeZip(Object.entries(files).map(([path, data]) => ({ name: path, data })));
    writeFileSync(join(wheels, `${name}-${version}-py3-none-any.whl`), zip);
  }

const linux = 'x86_64-unknown-linux-gnu';

/** The packages that uv installs from a project's lines. */
async function resolved(files: Record<string, string>, { python = '3.12', platform = linux } = {}): Promise<string> {
  const dir = mkdtempSync(join(home, 'project-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const tree = await openTree(dir);
  const lines = pythonDependencies(tree, findPyproject(tree))?.lines ?? [];
  const list = join(dir, 'list.txt');
  writeFileSync(list, lines.join('\n'));
  const usual = ['pip', 'compile', '-q', '--no-config', '--no-index', '--no-deps', '--no-header', '--no-annotate', '--no-cache'];
  const where = ['--find-links', wheels, '--python', toolchains.python[0]?.path ?? '', '--python-version', python];
  const out = execFileSync(uv, [...usual, ...where, '--python-platform', platform, list], { encoding: 'utf8', timeout: 60_000 });
  return out.trim().split('\n').sort().join(' ');
}

const fixture = (name: string, files: string[]) =>
  Object.fromEntries(
    files.map((file) => [file, readFileSync(fileURLToPath(new URL(`../../fixtures/agents/${name}/${file}`, import.meta.url)), 'utf8')]),
  );

for (const [name, lock] of [
  ['poetry-lock-two-versions', 'poetry.lock'],
  ['pdm-lock-two-versions', 'pdm.lock'],
] as const)
  test(`a package that ${lock} holds twice is installed in the newest version that the Python can run`, async () => {
    const files = fixture(name, ['pyproject.toml', lock]);
    assert.equal(await resolved(files, { python: '3.11' }), 'arrays==1.0 sums==1.0');
    assert.equal(await resolved(files, { python: '3.12' }), 'arrays==2.0 sums==1.0');
    assert.equal(await resolved(files, { python: '3.14' }), 'arrays==2.0 sums==1.0');
  });

const entry = (name: string, version: string, rest: string) => `[[package]]\nname = "${name}"\nversion = "${version}"\n${rest}\n`;
const poetry = (dependencies: string) => `[tool.poetry]\nname = "a"\n[tool.poetry.dependencies]\npython = "^3.11"\n${dependencies}\n`;

test('the version that a dependency of the project allows in an environment wins over a newer one', async () => {
  const files = {
    'pyproject.toml': poetry(
      'arrays = [{version = "^1.0", python = "<3.12"}, {version = "^2.0", python = ">=3.12", markers = "sys_platform == \'linux\'"}, {version = "<2", markers = "sys_platform != \'linux\'"}]',
    ),
    'poetry.lock': entry('arrays', '1.0', 'python-versions = ">=3.8"') + entry('arrays', '2.0', 'python-versions = ">=3.8"'),
  };
  assert.equal(await resolved(files, { python: '3.11' }), 'arrays==1.0');
  assert.equal(await resolved(files, { python: '3.12' }), 'arrays==2.0');
  assert.equal(await resolved(files, { python: '3.12', platform: 'x86_64-pc-windows-msvc' }), 'arrays==1.0');
});

test('versions for platforms and processors stay apart in poetry.lock, by the markers of the lock or of what needs them', async () => {
  const machine = (is: string) => `platform_machine ${is} 'aarch64'`;
  const stated =
    entry('arrays', '1.0', `groups = ["main"]\nmarkers = "${machine('==')}"`) +
    entry('arrays', '2.0', `groups = ["main"]\nmarkers = {main = "${machine('!=')}"}`);
  const needing = `[package.dependencies]\narrays = [{version = "1.0", markers = "${machine('==')}"}, {version = ">=2", markers = "${machine('!=')}"}]\n`;
  const needed =
    entry('arrays', '1.0', 'python-versions = "*"') + entry('arrays', '2.0', 'python-versions = "*"') + entry('sums', '1.0', needing);
  for (const [lock, project, others] of [
    [stated, poetry('arrays = "*"'), ''],
    [needed, poetry('sums = "*"'), ' sums==1.0'],
  ] as const) {
    const files = { 'pyproject.toml': project, 'poetry.lock': lock };
    assert.equal(await resolved(files), `arrays==2.0${others}`);
    assert.equal(await resolved(files, { platform: 'aarch64-unknown-linux-gnu' }), `arrays==1.0${others}`);
  }
});

test('the newest of several versions that could all apply is installed, even where markers overlap or are absent', async () => {
  const main = 'groups = ["main"]\n';
  const overlapping = [
    entry('arrays', '1.0', `${main}markers = "python_version >= '3.8'"`),
    entry('arrays', '2.0', `${main}markers = "python_version ~= '3.11' and (sys_platform == 'linux' or sys_platform == 'darwin')"`),
    entry('arrays', '3.0', `${main}python-versions = "~3.11 || ~3.13"`),
  ].join('');
  const files = { 'pyproject.toml': poetry('arrays = "*"'), 'poetry.lock': overlapping };
  assert.equal(await resolved(files, { python: '3.13' }), 'arrays==3.0');
  assert.equal(await resolved(files, { python: '3.12' }), 'arrays==2.0');
  assert.equal(await resolved(files, { platform: 'x86_64-pc-windows-msvc' }), 'arrays==1.0');
  const without = {
    'pyproject.toml': '[project]\nname = "a"\ndependencies = ["arrays"]\n',
    'pdm.lock': entry('arrays', '1.0', '') + entry('arrays', '2.0', ''),
  };
  assert.equal(await resolved(without), 'arrays==2.0');
});

test('a pdm.lock without markers takes them of the lines that need the versions', async () => {
  const needs = 'dependencies = [\'arrays<2; sys_platform == "win32"\', \'arrays>=2; sys_platform != "win32"\']';
  const files = {
    'pyproject.toml': '[project]\nname = "a"\ndependencies = ["sums"]\n',
    'pdm.lock': entry('arrays', '1.0', '') + entry('arrays', '2.0', 'requires_python = ">=3.11"') + entry('sums', '1.0', needs),
  };
  assert.equal(await resolved(files), 'arrays==2.0 sums==1.0');
  assert.equal(await resolved(files, { platform: 'x86_64-pc-windows-msvc' }), 'arrays==1.0 sums==1.0');
});

test('a package that only another platform or Python needs is left out, also through packages between', async () => {
  const chain = entry('sums', '1.0', '[package.dependencies]\nminus = {version = "*", markers = "python_version < \'3.13\'"}');
  const files = {
    'pyproject.toml': poetry('arrays = "^1"\nsums = {version = "*", markers = "sys_platform == \'win32\'"}'),
    'poetry.lock': entry('arrays', '1.0', '') + chain + entry('minus', '1.0', ''),
  };
  assert.equal(await resolved(files), 'arrays==1.0');
  assert.equal(await resolved(files, { platform: 'x86_64-pc-windows-msvc' }), 'arrays==1.0 minus==1.0 sums==1.0');
  assert.equal(await resolved(files, { platform: 'x86_64-pc-windows-msvc', python: '3.13' }), 'arrays==1.0 sums==1.0');
});

test('a Pipfile and its lock keep the environments that a package is for', async () => {
  const pipfile =
    '[packages]\narrays = "==1.0"\nsums = {version = "*", sys_platform = "== \'win32\'"}\nminus = {version = "*", markers = "python_version < \'3.12\'"}\n';
  const minus = { version: '==1.0', markers: "python_version < '3.12'" };
  const locked = { arrays: { version: '==1.0' }, sums: { version: '==1.0', sys_platform: "== 'win32'" }, minus };
  for (const files of [{ Pipfile: pipfile }, { Pipfile: pipfile, 'Pipfile.lock': JSON.stringify({ default: locked }) }] as Record<
    string,
    string
  >[]) {
    assert.equal(await resolved(files), 'arrays==1.0');
    assert.equal(await resolved(files, { python: '3.11', platform: 'x86_64-pc-windows-msvc' }), 'arrays==1.0 minus==1.0 sums==1.0');
  }
});
