import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { archiveLimits } from '@paddock/contract/limits';
import { refused, tryUnpack } from '../../test/try-unpack.ts';
import { type Entry, writeZip } from '../../test/write-zip.ts';
import type { ArchiveLimits } from './entry-rules.ts';

test('files, folders and executable bits come out as they went in, setuid and sticky bits do not', async () => {
  const { unpacked, dest } = await tryUnpack(
    writeZip([
      { name: 'main.py', data: 'print(1)\n' },
      { name: 'bin/', mode: 0o40777 },
      { name: 'bin/run.sh', data: '#!/bin/sh\n', mode: 0o107755 },
      { name: 'empty.txt', data: '' },
      { name: 'stored.txt', data: 'abc', method: 0, mode: 0o100600 },
    ]),
  );
  assert.equal(unpacked?.files, 4);
  assert.equal(readFileSync(join(dest, 'main.py'), 'utf8'), 'print(1)\n');
  assert.equal(statSync(join(dest, 'bin/run.sh')).mode & 0o7777, 0o755);
  assert.equal(statSync(join(dest, 'stored.txt')).mode & 0o7777, 0o644);
});

test('what packers leave behind is dropped and the one common folder is stripped', async () => {
  const { unpacked, dest } = await tryUnpack(
    writeZip([
      { name: 'my-agent/', mode: 0o40755 },
      { name: 'my-agent/main.py', data: 'x' },
      { name: 'my-agent/.DS_Store', data: 'x' },
      { name: 'my-agent/.git/HEAD', data: 'x' },
      { name: '__MACOSX/my-agent/._main.py', data: 'x' },
      { name: 'my-agent/.env', data: 'A=1' },
      { name: 'my-agent/node_modules/a/index.js', data: '1' },
    ]),
  );
  assert.equal(unpacked?.stripped, 'my-agent');
  assert.deepEqual(readdirSync(dest).sort(), ['.env', 'main.py', 'node_modules']);
  assert.equal(unpacked?.warnings.length, 2);
});

for (const name of [
  '../evil',
  'a/../../evil',
  '..\\..\\evil',
  '/evil',
  'C:\\x',
  'C:/x',
  '\\\\host\\x',
  'a//b',
  'a/./b',
  'x\ny',
  'x\u0000y',
  'x\u202ecod.py',
  'x\u0085',
  'a/..',
]) {
  test(`an entry named ${JSON.stringify(name)} is refused and named`, () =>
    refused(
      writeZip([
        { name: 'ok.txt', data: 'x' },
        { name, data: 'x' },
      ]),
      { code: 'archive_entry_name', mentions: /entry "/ },
    ));
}

for (const name of ['-rf', '$(id)', '`id`', 'a b;c', "it's", '日本語.py', 'ü/é.txt']) {
  test(`a file named ${name} comes out unharmed`, async () => {
    const { dest, error } = await tryUnpack(
      writeZip([
        { name: 'z.txt', data: 'z' },
        { name, data: 'x' },
      ]),
    );
    assert.equal(error, undefined);
    assert.equal(readFileSync(join(dest, name), 'utf8'), 'x');
  });
}

test('documents whose names differ in case are two files, as on the disk of the repository', async () => {
  const entries = [
    { name: 'main.py', data: '' },
    { name: 'README.md', data: '1' },
    { name: 'readme.md', data: '2' },
  ];
  assert.equal((await tryUnpack(writeZip(entries))).unpacked?.files, 3);
});

const link = { mode: 0o120777, data: '/etc/passwd' };
const asi = Buffer.from([0x6e, 0x75, 14, 0, 0, 0, 0, 0, 0xff, 0xa1, 0, 0, 0, 0, 0, 0, 0, 0]);
const kinds: [string, Entry[], string, RegExp][] = [
  ['a symbolic link', [{ name: 'd', ...link }], 'archive_entry_type', /"d" is a symbolic link/],
  [
    'a linked folder with a file below it',
    [
      { name: 'd', ...link, data: '/tmp' },
      { name: 'd/evil', data: 'x' },
    ],
    'archive_duplicate',
    /"d"/,
  ],
  ['a pipe', [{ name: 'p', mode: 0o010644 }], 'archive_entry_type', /"p"/],
  ['a device', [{ name: 'p', mode: 0o020644 }], 'archive_entry_type', /"p"/],
  ['a socket', [{ name: 'p', mode: 0o140644 }], 'archive_entry_type', /"p"/],
  ['a link told by the old Unix field', [{ name: 'p', data: 'x', extra: asi }], 'archive_entry_type', /symbolic link/],
  [
    'a link told by the PKWARE field',
    [{ name: 'p', data: 'x', extra: Buffer.concat([Buffer.from([0x0d, 0, 16, 0]), Buffer.alloc(16)]) }],
    'archive_entry_type',
    /"p"/,
  ],
  [
    'the same name twice',
    [
      { name: 'agent.py', data: '1' },
      { name: 'agent.py', data: '2' },
    ],
    'archive_duplicate',
    /agent\.py/,
  ],
  [
    'two names that differ in case',
    [
      { name: 'agent.py', data: '1' },
      { name: 'Agent.py', data: '2' },
    ],
    'archive_duplicate',
    /Agent\.py/,
  ],
  [
    'two normal forms of a name',
    [
      { name: 'é.py', data: '1' },
      { name: 'e\u0301.py', data: '2' },
    ],
    'archive_duplicate',
    /é/,
  ],
  [
    'a name that is file and folder',
    [
      { name: 'a', data: '1' },
      { name: 'a/b', data: '2' },
    ],
    'archive_duplicate',
    /file and a folder/,
  ],
  ['an encrypted entry', [{ name: 'a', data: '1', flags: 0x801 }], 'archive_encrypted', /"a" is encrypted/],
  ['an unknown method', [{ name: 'a', data: '1', method: 14, packed: Buffer.from('1') }], 'archive_method', /method 14/],
  ['a wrong checksum', [{ name: 'a', data: '1', crc: 7 }], 'archive_checksum', /"a" is damaged/],
  ['damaged data', [{ name: 'a', data: 'hello', packed: Buffer.from([0xff, 0xff, 0xff]) }], 'archive_checksum', /"a" is damaged/],
  ['a size that is too small', [{ name: 'a', data: 'x'.repeat(5000), size: 10 }], 'archive_mismatch', /stated 10 bytes/],
  ['a size that is too large', [{ name: 'a', data: 'x'.repeat(50), size: 100_000 }], 'archive_mismatch', /unpacks to 50 bytes/],
  ['a huge stated size', [{ name: 'a', data: 'x', size: 0xfffffff0 }], 'archive_limit', /"a" unpacks to/],
  ['another name in the local header', [{ name: 'good.py', data: '1', localName: 'evil.py' }], 'archive_mismatch', /another name/],
  ['another size in the local header', [{ name: 'a', data: '1', localSize: 9 }], 'archive_mismatch', /other sizes/],
  ['another method in the local header', [{ name: 'a', data: '1', localMethod: 0 }], 'archive_mismatch', /another compression/],
  [
    'two entries over the same bytes',
    [
      { name: 'a', data: 'x'.repeat(100) },
      { name: 'b', data: 'x'.repeat(100), offset: 0 },
    ],
    'archive_overlap',
    /overlaps/,
  ],
  [
    'data between entries',
    [
      { name: 'a', data: '1', gap: Buffer.alloc(100) },
      { name: 'b', data: '2' },
    ],
    'archive_invalid',
    /hides data/,
  ],
  [
    'data after a deflate stream',
    [{ name: 'a', data: 'x', packed: Buffer.from([0x03, 0x00, 1, 2, 3]), size: 0, crc: 0 }],
    'archive_invalid',
    /hides data/,
  ],
  ['a folder entry with data', [{ name: 'a/', data: 'x', mode: 0o40755 }], 'archive_invalid', /folder entry/],
  ['a name of 64 kB', [{ name: 'x/'.repeat(30_000) + 'y', data: '' }], 'archive_entry_name', /longer than 1024/],
  ['2,000 folders in one another', [{ name: `${'a/'.repeat(500)}y`, data: '' }], 'archive_entry_name', /deeper than 40/],
  ['a bomb of zeros', [{ name: 'zeros', data: Buffer.alloc(20 * 1024 ** 2) }], 'archive_limit', /200 times/],
];
for (const [what, entries, code, mentions] of kinds)
  test(`an archive with ${what} is refused`, () => refused(writeZip(entries), { code, mentions }));

const one: Entry[] = [{ name: 'a.py', data: 'print(1)' }];
const endOf = (zip: Buffer) => zip.subarray(zip.length - 22);
const whole: [string, Buffer, string, RegExp][] = [
  ['prepended data', writeZip(one, { prefix: Buffer.from('#!/bin/sh\n') }), 'archive_invalid', /before/],
  ['prepended data and matching offsets', writeZip(one, { prefix: Buffer.from('#!/bin/sh\n'), shift: true }), 'archive_invalid', /before/],
  ['an end record in its comment', writeZip(one, { comment: endOf(writeZip([])) }), 'archive_invalid', /end record/],
  ['two end records', writeZip(one, { beforeEnd: endOf(writeZip(one)) }), 'archive_invalid', /end record/],
  ['bytes after its end', Buffer.concat([writeZip(one), Buffer.from('tail')]), 'not_a_zip', /not a ZIP/],
  ['no end', writeZip(one).subarray(0, 60), 'not_a_zip', /not a ZIP/],
  ['no entries', writeZip([]), 'archive_empty', /empty/],
  ['only junk', writeZip([{ name: '.DS_Store', data: '1' }]), 'archive_empty', /no files/],
  ['too many entries by its count', writeZip(one, { count: 30_000 }), 'archive_limit', /30000 entries/],
  ['fewer entries than its directory holds', writeZip([...one, { name: 'b', data: '1' }], { count: 1 }), 'archive_invalid', /./],
  ['plain text', Buffer.from('hello, this is not a zip file at all'), 'not_a_zip', /not a ZIP/],
];
for (const [what, zip, code, mentions] of whole) test(`an archive with ${what} is refused`, () => refused(zip, { code, mentions }));

test('a file of zeros that is no larger than an index of vectors is unpacked', async () => {
  const { unpacked } = await tryUnpack(writeZip([...one, { name: 'db/data_level0.bin', data: Buffer.alloc(16 * 1024 ** 2) }]));
  assert.equal(unpacked?.files, 2);
});

test('every limit holds', async () => {
  const small = (change: Partial<ArchiveLimits>) => ({ ...archiveLimits, ...change });
  const noise = (n: number) => Buffer.from(Array.from({ length: n }, (_, i) => (i * 7919 * (i + 13)) % 251));
  const zip = writeZip([
    { name: 'a', data: noise(3000) },
    { name: 'b', data: noise(3000) },
  ]);
  await refused(zip, { code: 'archive_limit', mentions: /at most 100/, limits: small({ zipBytes: 100 }) });
  await refused(zip, { code: 'archive_limit', mentions: /more than 5000/, limits: small({ unpackedBytes: 5000 }) });
  await refused(zip, { code: 'archive_limit', mentions: /at most 1 /, limits: small({ entries: 1 }) });
  await refused(zip, { code: 'archive_limit', mentions: /at most 2000/, limits: small({ fileBytes: 2000 }) });
});

test('an archive inside of an archive stays packed', async () => {
  const inner = writeZip([{ name: 'evil', data: 'x' }]);
  const { dest } = await tryUnpack(
    writeZip([
      { name: 'inner.zip', data: inner, method: 0 },
      { name: 'a', data: '1' },
    ]),
  );
  assert.deepEqual(readFileSync(join(dest, 'inner.zip')), inner);
});
