import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { refused, tryUnpack } from '../../test/try-unpack.ts';
import { type Entry, writeZip } from '../../test/write-zip.ts';

const file = (name: string, data = name): Entry => ({ name, data });
const filesOf = (dest: string) =>
  readdirSync(dest, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dest.length + 1))
    .sort();

async function unpacked(entries: Entry[]) {
  const result = await tryUnpack(writeZip(entries));
  assert.equal(result.error, undefined, result.error?.message);
  return { ...result, files: filesOf(result.dest) };
}

test('names that begin with “./” are names of the archive’s own folder, and the entry “./” is that folder', async () => {
  const { files } = await unpacked([
    { name: './', mode: 0o40755 },
    file('./main.py'),
    { name: './data/', mode: 0o40755 },
    file('././data/a.txt'),
  ]);
  assert.deepEqual(files, ['data/a.txt', 'main.py']);
  const single = await unpacked([file('./desk/main.py'), file('./desk/lib/b.py')]);
  assert.deepEqual([single.files, single.unpacked?.stripped], [['lib/b.py', 'main.py'], 'desk']);
});

test('where all names separate folders by backslashes, backslashes are slashes', async () => {
  const { files, unpacked: result } = await unpacked([
    { name: 'desk\\', mode: 0o40755 },
    file('desk\\main.py'),
    file('desk\\lib\\sub\\b.py'),
    file('.\\desk\\c.py'),
  ]);
  assert.deepEqual(files, ['c.py', 'lib/sub/b.py', 'main.py']);
  assert.equal(result?.stripped, 'desk');
});

for (const name of ['.//etc/x', './../x', './C:/x', './a/../x', 'a/./b', '.\\..\\x', '..\\x', '\\x', 'C:\\x', 'a\\..\\..\\x', '.'])
  test(`an entry named ${JSON.stringify(name)} is refused, whatever packed the archive`, async () => {
    await refused(writeZip([file('ok.txt'), file(name)]), { code: 'archive_entry_name', mentions: /entry "/ });
  });

test('backslashes beside slashes, and names that become the same, are refused', async () => {
  await refused(writeZip([file('a/b.txt'), file('c\\d.txt')]), { code: 'archive_entry_name', mentions: /backslash/ });
  await refused(writeZip([file('./main.py'), file('main.py')]), { code: 'archive_duplicate', mentions: /main\.py/ });
  await refused(writeZip([file('a\\b'), file('A\\B')]), { code: 'archive_duplicate', mentions: /A/ });
});

test('scripts with line ends of Windows come out with those of Linux, and a warning names them', async () => {
  const { dest, unpacked: result } = await unpacked([
    file('run.sh', '#!/bin/sh\r\nexec python3 main.py\r\n'),
    file('more/setup.sh', 'echo set up\r\n'),
    file('serve', '#!/usr/bin/env python3\r\nprint(1)\r\n'),
    file('main.py', 'print(1)\r\n'),
    file('notes.txt', 'a\r\n'),
  ]);
  const text = (path: string) => readFileSync(join(dest, path), 'utf8');
  assert.equal(text('run.sh'), '#!/bin/sh\nexec python3 main.py\n');
  assert.equal(text('more/setup.sh'), 'echo set up\n');
  assert.equal(text('serve'), '#!/usr/bin/env python3\nprint(1)\n');
  assert.deepEqual([text('main.py'), text('notes.txt')], ['print(1)\r\n', 'a\r\n']);
  assert.deepEqual(result?.warnings, [
    'Line ends of Windows (CRLF) are replaced in scripts, which Linux would not run: "run.sh", "more/setup.sh", "serve".',
  ]);
});

test('in an archive without executable bits, scripts and programs are executable', async () => {
  const elf = Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(100)]);
  const entries: Entry[] = [
    file('run.sh', '#!/bin/sh\n'),
    { name: 'agent', data: elf },
    { name: 'big', data: bigProgram(), method: 0 },
    file('main.py'),
  ];
  const { dest } = await unpacked(entries);
  const modes = (to: string) => ['run.sh', 'agent', 'big', 'main.py'].map((name) => (statSync(join(to, name)).mode & 0o777).toString(8));
  assert.deepEqual(modes(dest), ['755', '755', '755', '644']);
  const withModes = await unpacked([...entries, { name: 'tool', data: '#!/bin/sh\n', mode: 0o100755 }]);
  assert.deepEqual(modes(withModes.dest), ['644', '644', '644', '644']);
});

/** Larger than the limit for unpacking in one call. */
function bigProgram(): Buffer {
  const data = Buffer.from(Array.from({ length: 9 * 1024 }, (_, n) => n % 251));
  return Buffer.concat([Buffer.from('\x7fELF'), ...Array.from({ length: 1024 }, () => data)]);
}
