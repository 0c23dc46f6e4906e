import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { knownPythons } from './known-pythons.ts';

function folderOf(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-pythons-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'python3');
  writeFileSync(program, 'first');
  const asked: string[] = [];
  async function search(says: string | null) {
    const known = await knownPythons(folder, async (path) => {
      asked.push(path);
      return says;
    });
    const version = await known.readVersion(program);
    await known.keep();
    return version;
  }
  return { folder, program, asked, search };
}

test('a Python is asked for its version once, and again when another file is in its place', async (t) => {
  const { program, asked, search } = folderOf(t);
  assert.equal(await search('3.11.2'), '3.11.2');
  assert.equal(await search('9.9.9'), '3.11.2');
  assert.equal(asked.length, 1);
  writeFileSync(program, 'another one');
  assert.equal(await search('3.12.1'), '3.12.1');
  assert.equal(await search(null), '3.12.1');
  assert.equal(asked.length, 2);
});

test('a Python that does not run is asked again at the next search', async (t) => {
  const { asked, search } = folderOf(t);
  assert.equal(await search(null), null);
  assert.equal(await search('3.11.2'), '3.11.2');
  assert.equal(asked.length, 2);
});

test('a Python that has gone meanwhile is none', async (t) => {
  const { program, asked, search } = folderOf(t);
  await search('3.11.2');
  rmSync(program);
  assert.equal(await search('3.11.2'), null);
  assert.equal(asked.length, 1);
});

test('what was kept and cannot be read is found anew', async (t) => {
  const { folder, search } = folderOf(t);
  for (const text of ['{"cut', 'null', '7']) {
    writeFileSync(join(folder, 'pythons.json'), text);
    assert.equal(await search('3.11.2'), '3.11.2', text);
  }
});
