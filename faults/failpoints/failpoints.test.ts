import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { allFaults } from '../all.ts';
import { failpoints } from './points.ts';
import { filesWithFailpoints, withFailpoints } from './source.ts';

const files = filesWithFailpoints();

test('every failpoint that a fault arms is in the product, and every one in the product is armed by a fault', async () => {
  const armed = new Set((await allFaults()).flatMap((fault) => fault.failpoints ?? []));
  const present = files.flatMap(({ names }) => names);
  assert.deepEqual([...armed].sort(), [...new Set(present)].sort());
  assert.equal(new Set(present).size, present.length, 'each has one place');
});

test('each failpoint stands where it may wait', () => {
  for (const { path, text } of files) assert.doesNotThrow(() => stripTypeScriptTypes(withFailpoints(text)), path);
  assert.throws(() => stripTypeScriptTypes(withFailpoints('export function f() {\n  // failpoint: here\n}\n')), /await/);
});

test('a process passes a failpoint as if it were not there, unless it was started with the loader and the failpoint is armed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-failpoints-'));
  const points = failpoints();
  t.after(() => {
    rmSync(folder, { recursive: true });
    points.remove();
  });
  // The loader takes this path for a file of the product.
  const file = join(folder, 'apps/server/src/main.ts');
  mkdirSync(join(folder, 'apps/server/src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    file,
    `const said: string[] = [];\nsaid.push('before');\n// failpoint: middle\nsaid.push('after');\nconsole.log(said.join());\n`,
  );
  const run = (loaded: boolean) =>
    spawnSync(process.execPath, [...(loaded ? points.execArgv : []), file], { encoding: 'utf8', env: { ...process.env, ...points.env } });
  assert.equal(run(true).stdout, 'before,after\n');
  points.arm('middle', { do: 'die' });
  assert.equal(run(false).stdout, 'before,after\n');
  assert.equal(run(true).signal, 'SIGKILL');
  assert.equal(points.hits('middle'), 1);
  assert.equal(run(true).stdout, 'before,after\n', 'it acts once');
  points.arm('middle', { do: 'throw', after: 1, always: true });
  assert.deepEqual([run(true).status, run(true).status, run(true).status], [0, 1, 1]);
});
