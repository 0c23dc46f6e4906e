import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { archiveLimits } from '@paddock/contract/limits';
import { refused, tryUnpack } from '../../test/try-unpack.ts';
import { type Entry, writeZip } from '../../test/write-zip.ts';

const link = (name: string, data: string): Entry => ({ name, data, mode: 0o120777 });
const file = (name: string, data = name): Entry => ({ name, data });
const main = file('desk-1/main.py');

test('links to files and folders of the archive come out as copies of them, also links to links', async () => {
  const { dest, unpacked, error } = await tryUnpack(
    writeZip([
      main,
      file('desk-1/AGENTS.md', 'rules'),
      link('desk-1/CLAUDE.md', 'AGENTS.md'),
      link('desk-1/docs/rules.md', '../CLAUDE.md'),
      file('desk-1/skills/a/run.py', 'a'),
      file('desk-1/skills/b.py', 'b'),
      link('desk-1/.tool/skills', '../skills'),
    ]),
  );
  assert.equal(error, undefined);
  for (const path of ['CLAUDE.md', 'docs/rules.md']) {
    assert.equal(readFileSync(join(dest, path), 'utf8'), 'rules');
    assert.equal(lstatSync(join(dest, path)).isFile(), true);
  }
  assert.equal(readFileSync(join(dest, '.tool/skills/a/run.py'), 'utf8'), 'a');
  assert.equal(lstatSync(join(dest, '.tool/skills')).isDirectory(), true);
  assert.deepEqual([unpacked?.files, unpacked?.warnings], [8, []]);
});

for (const target of ['.', '', 'gone.md', 'self'])
  test(`a link to ${JSON.stringify(target)} is left out and named`, async () => {
    const { dest, unpacked, error } = await tryUnpack(writeZip([main, link('desk-1/self', target)]));
    assert.equal(error, undefined);
    assert.deepEqual(readdirSync(dest), ['main.py']);
    assert.deepEqual(unpacked?.warnings, ['Symbolic links that lead to nothing within the archive are left out: "self".']);
  });

for (const target of ['/etc/passwd', '/app/main.py', '../../etc/passwd', '..', 'skills/../../x', '..\\x', 'a\u0000', '../desk-1/main.py'])
  test(`a link to ${JSON.stringify(target)} is refused and named`, () =>
    refused(writeZip([main, link('desk-1/self', target)]), {
      code: 'archive_entry_type',
      mentions: /"self" is a symbolic link that leads out of the archive/,
    }));

test('two links that lead to each other, and a link to the folder that holds it, are left out', async () => {
  const { dest, unpacked } = await tryUnpack(
    writeZip([main, link('desk-1/a', 'b'), link('desk-1/b', 'a'), file('desk-1/in/x.py'), link('desk-1/in/again', '../in')]),
  );
  assert.equal(existsSync(join(dest, 'in/again')), false);
  assert.match(unpacked?.warnings[0] ?? '', /"a", "b", "in\/again"/);
});

test('nothing is written through a link: what lies below one is refused', () =>
  refused(writeZip([main, link('desk-1/d', '/tmp'), file('desk-1/d/evil')]), { code: 'archive_duplicate', mentions: /d"/ }));

test('copies count to the bytes and files of an archive', async () => {
  const many = [file('big.txt', 'x'.repeat(600)), ...[1, 2, 3].map((n) => link(`l${n}`, 'big.txt'))];
  await refused(writeZip(many), { code: 'archive_limit', mentions: /bytes/, limits: { ...archiveLimits, unpackedBytes: 1500 } });
  const folder = [file('f/1'), file('f/2'), link('g', 'f'), link('h', 'f')];
  await refused(writeZip(folder), { code: 'archive_limit', mentions: /more than 5 files/, limits: { ...archiveLimits, entries: 5 } });
});

test('a link with a target longer than any path, or with a wrong checksum, is refused', async () => {
  await refused(writeZip([main, link('desk-1/l', 'x'.repeat(5000))]), { code: 'archive_invalid', mentions: /very long target/ });
  await refused(writeZip([main, { ...link('desk-1/l', 'main.py'), crc: 1 }]), { code: 'archive_checksum', mentions: /l"/ });
});
