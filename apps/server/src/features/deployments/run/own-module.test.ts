import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findMissingDependency, lackedPackages } from './diagnose-output.ts';
import { ownModule } from './own-module.ts';

function archive(t: TestContext, ...paths: string[]) {
  const app_dir = mkdtempSync(join(tmpdir(), 'paddock-own-'));
  t.after(() => rmSync(app_dir, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(join(app_dir, dirname(path)), { recursive: true });
    writeFileSync(join(app_dir, path), '');
  }
  return { app_dir };
}
const missing = (module: string) => ['  File "/app/main.py", line 1', `ModuleNotFoundError: No module named '${module}'`];

test('a module that the archive has elsewhere is no package to add: its place is told', (t) => {
  const built = archive(t, 'backend/src/desk.py', 'frontend/lamp/page.js', 'lib/bell.py', '.venv/lib/idna.py');
  assert.equal(ownModule(missing('src'), built), 'backend/src');
  assert.equal(ownModule(missing('src.desk'), built), 'backend/src');
  assert.equal(ownModule(missing('bell'), built), 'lib/bell.py');
  for (const none of ['lamp', 'idna', 'ddgs']) assert.equal(ownModule(missing(none), built), undefined, none);
  const own = ownModule(missing('src'), built);
  assert.match(
    findMissingDependency(missing('src'), { own }) ?? '',
    /'src' is not found, though the archive has backend\/src: set the variable PYTHONPATH=backend, or name .* Folder in the build settings/,
  );
  assert.deepEqual(lackedPackages(missing('src'), { own }), []);
});

test('a module that pyproject.toml names, as the project or for a folder, is no package of a stranger to add', (t) => {
  const built = archive(t, 'pylib/a.py', 'main.py');
  writeFileSync(
    join(built.app_dir, 'pyproject.toml'),
    '[project]\nname = "desk-agent" # ours\n\n[tool.hatch.build.sources]  # Rewriting\n"pylib" = "desk_parts"\n',
  );
  assert.equal(ownModule(missing('desk_parts'), built), 'pylib');
  assert.equal(ownModule(missing('desk_agent'), built), 'pyproject.toml');
  assert.equal(ownModule(missing('ddgs'), built), undefined);
  for (const [module, says] of [
    ['desk_parts', /is the archive's own pylib, which pyproject\.toml gives that name.*rename it to desk_parts/],
    ['desk_agent', /is the project itself, which is not installed here/],
  ] as const) {
    const own = ownModule(missing(module), built);
    assert.match(findMissingDependency(missing(module), { own }) ?? '', says);
    assert.deepEqual(lackedPackages(missing(module), { own }), []);
  }
});

test('an archive that is strange or huge is not looked through', (t) => {
  const built = archive(t, 'a/main.py');
  symlinkSync('/usr/lib', join(built.app_dir, 'desk'));
  assert.equal(ownModule(missing('desk'), built), undefined);
  for (let n = 0; n < 5_001; n++) writeFileSync(join(built.app_dir, `f${n}`), '');
  assert.equal(ownModule(missing('desk'), built), undefined);
});

test('a module that an error of another name misses is told as missing', () => {
  const tail = ["graphs.GraphLoadError: Failed to load graph 'agent' from ./agent.py: No module named 'ddgs'"];
  assert.match(findMissingDependency(tail) ?? '', /The module 'ddgs' is missing: add it/);
  assert.deepEqual(lackedPackages(tail, {}), ['ddgs']);
  assert.equal(findMissingDependency(["WARNING: search is off: No module named 'ddgs'", 'ready']), undefined);
});
