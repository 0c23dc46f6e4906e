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
      mentions: /"self" is a symbolic link that points outside the archive/,
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

for (const [what, name, target] of [
  ['named node_modules', 'node_modules', '/usr/lib/node_modules'],
  ['named node_modules in a folder', 'apps/a/node_modules', '../../../shared/node_modules'],
  ['named .venv', '.venv', '/home/ada/envs/desk'],
  ['named venv', 'venv', '../venv'],
  ['named .git', '.git', '../../.git/worktrees/desk'],
  ['in node_modules', 'node_modules/desk', '../../packages/desk'],
  ['in a Python environment', '.venv/bin/python', '/usr/bin/python3'],
  ['in .git', '.git/hooks/pre-commit', '/opt/hooks/pre-commit'],
] as const)
  test(`a link ${what} is skipped, wherever it leads`, async () => {
    const { dest, error } = await tryUnpack(writeZip([main, link(`desk-1/${name}`, target)]));
    assert.equal(error, undefined, error?.message);
    assert.deepEqual(readdirSync(dest), ['main.py']);
  });

test('a link in a Python environment of any name is skipped, since pyvenv.cfg tells one', async () => {
  const { dest, error } = await tryUnpack(
    writeZip([main, file('desk-1/env/pyvenv.cfg'), link('desk-1/env/bin/python', '/usr/bin/python3')]),
  );
  assert.equal(error, undefined, error?.message);
  assert.equal(existsSync(join(dest, 'env/bin')), false);
  await refused(writeZip([main, link('desk-1/env/bin/python', '/usr/bin/python3')]), { code: 'archive_entry_type', mentions: /python"/ });
});

test('a link whose path or target goes through another link becomes a copy, also within a linked folder', async () => {
  const { dest, error, unpacked } = await tryUnpack(
    writeZip([
      main,
      file('desk-1/skills/a.md', 'a'),
      link('desk-1/.tool', 'skills'),
      link('desk-1/first.md', '.tool/a.md'),
      link('desk-1/skills/again.md', '../main.py'),
    ]),
  );
  assert.equal(error, undefined, error?.message);
  assert.equal(readFileSync(join(dest, 'first.md'), 'utf8'), 'a');
  assert.equal(readFileSync(join(dest, '.tool/again.md'), 'utf8'), 'desk-1/main.py');
  assert.deepEqual(unpacked?.warnings, []);
});

test('folders that link to each other in a tree of doublings are refused before they are expanded', async () => {
  const levels = Array.from({ length: 40 }, (_, n) => ['x', 'y'].map((name) => link(`desk-1/f${n}/${name}`, `../f${n + 1}`))).flat();
  await refused(writeZip([main, file('desk-1/f40/a'), ...levels]), { code: 'archive_limit', mentions: /symbolic links/ });
});

test('a link out of the archive through another link is refused', () =>
  refused(writeZip([main, file('desk-1/in/x'), link('desk-1/a', 'in'), link('desk-1/b', 'a/../../etc/passwd')]), {
    code: 'archive_entry_type',
    mentions: /"b" is a symbolic link that points outside the archive/,
  }));
