import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Artifact } from '@paddock/builder';
import { absentPackages, belowBroken, brokenPackage, installedFor } from './broken-package.ts';
import { findMissingDependency } from './diagnose-output.ts';

const artifact = { app_dir: tmpdir(), mounts: [], plan: { version: '3.12.3' } } as unknown as Artifact;
const inPackage = ['Traceback (most recent call last):', '  File "/app/main.py", line 1, in <module>', '    client()'];
const frame = '  File "/app/.venv/lib/python3.12/site-packages/openai/_base_client.py", line 9, in __init__';
const unexpected = "TypeError: Client.__init__() got an unexpected keyword argument 'proxies'";

const missing = (module: string) => [...inPackage, `ModuleNotFoundError: No module named '${module}'`];
const inside = (error: string) => [...inPackage, frame, '    super()', error];

for (const [name, lines, isBroken] of [
  ['an argument that a package gave to a package', [...inPackage, frame, '    super()', unexpected], true],
  ['an argument that the archive gave', [...inPackage, unexpected], false],
  ['a module of the archive without a name', [...inPackage, "AttributeError: module 'helper' has no attribute 'go'"], false],
  [
    'a package that misses what it needs',
    [...inPackage, frame, '    import greenlet', "ImportError: The 'greenlet' library is required"],
    true,
  ],
  ['a module that the archive imports and nobody installed', [...inPackage, "ModuleNotFoundError: No module named 'flurb'"], false],
  ['an import of the archive’s own file', [...inPackage, "ImportError: cannot import name 'go' from 'helper' (/app/helper.py)"], false],
  [
    'a path that a package exports no more',
    ['Error [ERR_PACKAGE_PATH_NOT_EXPORTED]: Package subpath \'./x\' is not defined by "exports" in /app/node_modules/p/package.json'],
    true,
  ],
  ['an export of a package that is gone', ["SyntaxError: The requested module 'p' does not provide an export named 'x'"], true],
  ['an export of the archive’s own file', ["SyntaxError: The requested module './own.js' does not provide an export named 'x'"], false],
  [
    'a package that is a module by now',
    ['Error [ERR_REQUIRE_ESM]: require() of ES Module /app/node_modules/p/index.js not supported.'],
    true,
  ],
] as const)
  test(`${name} is ${isBroken ? '' : 'not '}taken for a fault of new versions`, () => {
    assert.equal(brokenPackage([...lines], artifact) !== undefined, isBroken);
  });

test('a module that its installed package brings no more is taken for a fault of new versions, and one of a package that is not there is not', (t) => {
  const environment = mkdtempSync(join(tmpdir(), 'paddock-venv-'));
  t.after(() => rmSync(environment, { recursive: true, force: true }));
  for (const entry of ['ag2-1.0.0.dist-info', 'Plain_Name-2.dist-info', 'young-0.12.3.dist-info', 'first-0.0.9.dist-info'])
    mkdirSync(join(environment, 'lib/python3.12/site-packages', entry), { recursive: true });
  const installed = { mounts: [{ from: environment, at: '/app/.venv' }], plan: { version: '3.12.3' } } as unknown as Artifact;
  const isBroken = (module: string) => brokenPackage(missing(module), installed) !== undefined;
  assert.deepEqual(['autogen', 'plain_name.parts', 'telegram', 'flurb'].map(isBroken), [true, true, false, false]);
  const told = (module: string) => findMissingDependency(missing(module), { installed: installedFor(missing(module), installed) });
  assert.match(told('autogen') ?? '', /'autogen' is missing, though ag2 1\.0\.0 is installed: .* Pin the version/);
  const below = (error: string) => belowBroken([error], installed);
  assert.equal(below("ModuleNotFoundError: No module named 'autogen.agents'"), 'ag2<1');
  assert.equal(
    below("ImportError: cannot import name 'gone' from 'plain_name.parts' (/app/.venv/lib/site-packages/plain_name/parts.py)"),
    'plain_name<2',
  );
  assert.equal(below("AttributeError: module 'young' has no attribute 'gone'"), 'young<0.12');
  assert.deepEqual(["AttributeError: module 'first' has no attribute 'x'", "ModuleNotFoundError: No module named 'flurb'"].map(below), [
    undefined,
    undefined,
  ]);
  assert.match(told('flurb') ?? '', /'flurb' is missing: add it to the dependencies/);
});

test('a call whose arguments do not fit a function that an installed package brings is taken for a fault of new versions', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'paddock-calls-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'venv/lib/python3.12/site-packages/harness'), { recursive: true });
  writeFileSync(join(home, 'main.py'), 'from harness.agents import (\n    other,\n    make_agent,\n)\nfrom own import make_own\n');
  const built = {
    app_dir: home,
    mounts: [{ from: join(home, 'venv'), at: '/app/.venv' }],
    plan: { version: '3.12.3' },
  } as unknown as Artifact;
  const isBroken = (error: string) => brokenPackage([...inPackage, error], built) !== undefined;
  assert.ok(isBroken("TypeError: make_agent() got an unexpected keyword argument 'memory'"));
  assert.ok(isBroken("TypeError: make_agent() missing 1 required positional argument: 'model'"));
  assert.ok(!isBroken("TypeError: make_own() got an unexpected keyword argument 'memory'"), 'the archive’s own function');
  assert.ok(!isBroken("TypeError: elsewhere() got an unexpected keyword argument 'memory'"), 'a function that it does not import');
});

test('of the modules that a start loads, those that are not in its environment are absent', (t) => {
  const environment = mkdtempSync(join(tmpdir(), 'paddock-venv-'));
  t.after(() => rmSync(environment, { recursive: true, force: true }));
  const packages = join(environment, 'lib/python3.12/site-packages');
  for (const entry of ['langchain_core', 'six.py', 'fast.cpython-312-x86_64-linux-gnu.so'])
    mkdirSync(join(packages, entry), { recursive: true });
  const unlisted_modules = ['bs4', 'fast', 'langchain_core', 'my_desk', 'six'];
  const absent = (mounts: object[], plan: object) =>
    absentPackages({ mounts, plan: { version: '3.12.3', unlisted_modules, ...plan } } as unknown as Artifact);
  assert.deepEqual(absent([{ from: environment, at: '/app/.venv' }], { install: {} }), ['beautifulsoup4', 'my-desk']);
  assert.deepEqual(absent([], { install: null, unlisted_modules: ['six'] }), ['six'], 'nothing is installed');
  assert.deepEqual(absent([], { install: {} }), [], 'where it was installed is not known');
  assert.deepEqual(absent([{ from: environment, at: '/app/.venv' }], { install: {}, unlisted_modules: undefined }), []);
});

test('of the packages that a Node start loads, those that are not in its node_modules are absent', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-modules-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const entry of ['express', '@scope/here', '.bin']) mkdirSync(join(folder, entry), { recursive: true });
  const unlisted_modules = ['@scope/gone', '@scope/here', '@other/gone', 'express', 'ws'];
  const absent = (mounts: object[], plan: object) =>
    absentPackages({ mounts, plan: { language: 'node', root: 'api', unlisted_modules, ...plan } } as unknown as Artifact);
  const mount = { from: folder, at: '/app/api/node_modules' };
  assert.deepEqual(absent([mount], { install: {} }), ['@scope/gone', '@other/gone', 'ws']);
  assert.deepEqual(absent([], { install: null }), unlisted_modules, 'nothing is installed');
  assert.deepEqual(absent([], { install: {} }), [], 'where it was installed is not known');
  assert.deepEqual(absent([{ ...mount, from: join(folder, 'express') }], { install: {} }), [], 'it is empty');
});

test('a package that raises at the start is taken for a fault of new versions only if no variable may be the cause', () => {
  const error = 'ValueError: Adapter.__init__: Either factory or manager must be provided.';
  const asks = { ...artifact, plan: { ...artifact.plan, asked_variables: [{ name: 'BOT_TOKEN', required: true }] } } as unknown as Artifact;
  assert.notEqual(brokenPackage(inside(error), artifact), undefined);
  assert.equal(brokenPackage(inside(error), asks), undefined, 'it asks for a variable that is not set');
  assert.notEqual(brokenPackage(inside(error), asks, ['BOT_TOKEN']), undefined);
  assert.equal(brokenPackage([...inPackage, error], artifact), undefined, 'the archive itself raises it');
  for (const other of [
    'ValueError: The api_key client option must be set',
    'ValueError: Set OPENAI_API_KEY first',
    "KeyError: 'HOME'",
    'httpx.ConnectError: All attempts failed',
    'openai.AuthenticationError: Error code: 401',
    'sqlalchemy.exc.OperationalError: could not go on',
    "FileNotFoundError: [Errno 2] No such file or directory: 'a.json'",
  ])
    assert.equal(brokenPackage(inside(other), artifact), undefined, other);
});
