import { randomFillSync } from 'node:crypto';
import { type Entry, writeZip } from '../../packages/builder/test/write-zip.ts';
import { endRecord, nested, quoted, sharedData } from './bombs.ts';
import { withEnd64, withSizes64 } from './zip64.ts';

/** A hostile archive of list A. */
export interface Kind {
  /** Number in the attack list. */
  item: number;
  kind: string;
  make(canary: Canary): Buffer;
  /** The message of the refused deployment, or for a harmless archive the files that must be in the artifact, with their modes. */
  expected: RegExp | Record<string, number>;
  /** Large archives, left out of the short form. */
  long?: boolean;
}

/** Evidence of an escape: a folder on the host, and a word that no other file has in its name. */
export interface Canary {
  folder: string;
  word: string;
}

const ok: Entry = { name: 'start.sh', data: 'echo started\n', mode: 0o100755 };
const beside = (...entries: Entry[]) => writeZip([ok, ...entries]);
const text = (name: string, more: Partial<Entry> = {}): Entry => ({ name, data: 'hostile', ...more });
const link = (name: string, to: string): Entry => ({ name, data: to, mode: 0o120777 });
const up = (steps: number) => '../'.repeat(steps);
const extra = (id: number, data: Buffer) => {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
};
/** Info-ZIP's old Unix field: checksum, mode, size or device, owner, link name. */
const unixField = (mode: number) => {
  const data = Buffer.alloc(14);
  data.writeUInt16LE(mode, 4);
  return extra(0x756e, data);
};
const noise = (bytes: number) => randomFillSync(Buffer.alloc(bytes));

export const kinds: Kind[] = [
  { item: 1, kind: '../evil', make: (c) => beside(text(`../${c.word}`)), expected: /entry "\.\.\/.*“\.\.”/ },
  { item: 1, kind: 'a/../../evil', make: (c) => beside(text(`a/../../${c.word}`)), expected: /entry "a\/\.\.\/.*“\.\.”/ },
  {
    item: 1,
    kind: '30 × ../ to a folder of the host',
    make: (c) => beside(text(`${up(30)}${c.folder.slice(1)}/${c.word}`)),
    expected: /entry ".*“\.\.”/,
  },
  { item: 1, kind: '..\\..\\evil', make: (c) => beside(text(`..\\..\\${c.word}`)), expected: /entry ".*backslash/ },
  { item: 1, kind: 'an absolute path', make: (c) => beside(text(`${c.folder}/${c.word}`)), expected: /entry "\/.*absolute/ },
  { item: 1, kind: 'C:\\x', make: (c) => beside(text(`C:\\${c.word}`)), expected: /entry "C:.*backslash/ },
  { item: 1, kind: '\\\\host\\x', make: (c) => beside(text(`\\\\host\\${c.word}`)), expected: /entry ".*backslash/ },
  {
    item: 2,
    kind: 'a symbolic link to /etc/passwd',
    make: () => beside(link('passwd', '/etc/passwd')),
    expected: /entry "passwd" is a symbolic link/,
  },
  { item: 1, kind: './../evil', make: (c) => beside(text(`./../${c.word}`)), expected: /entry "\.\.\/.*“\.\.”/ },
  { item: 1, kind: './/evil', make: (c) => beside(text(`./${c.folder}/${c.word}`)), expected: /entry "\/.*absolute/ },
  {
    item: 2,
    kind: 'a link out of the archive through a link within it',
    make: (c) => beside(text('in/x'), link('way', 'in'), link('out', `way/../..${c.folder}`)),
    expected: /entry "out" is a symbolic link that points outside/,
  },
  {
    item: 2,
    kind: 'a link in node_modules and a file below it',
    make: (c) => beside(link('node_modules/d', c.folder), text(`node_modules/d/${c.word}`)),
    expected: /entry "node_modules\/d" is a file and a folder at once/,
  },
  {
    item: 3,
    kind: 'a linked folder and a file below it',
    make: (c) => beside(link('d', c.folder), text(`d/${c.word}`)),
    expected: /entry "d" is a file and a folder at once/,
  },
  {
    item: 3,
    kind: 'the same as one folder entry and one link',
    make: (c) => beside({ name: 'd/', mode: 0o120777 }, text(`d/${c.word}`)),
    expected: /entry "d\/" is a symbolic link/,
  },
  {
    item: 4,
    kind: 'a hard link by PKWARE’s field',
    make: () => beside(text('hard', { extra: extra(0x000d, Buffer.concat([Buffer.alloc(12), Buffer.from('/etc/passwd')])) })),
    expected: /entry "hard" is a link or a device/,
  },
  {
    item: 4,
    kind: 'a link by the old Unix field only',
    make: () => beside(text('old', { extra: unixField(0o120777) })),
    expected: /entry "old" is a symbolic link/,
  },
  { item: 4, kind: 'a FIFO', make: () => beside({ name: 'pipe', mode: 0o010644 }), expected: /entry "pipe" is a device, pipe or socket/ },
  { item: 4, kind: 'a block device', make: () => beside({ name: 'disk', mode: 0o060644 }), expected: /entry "disk" is a device/ },
  { item: 4, kind: 'a character device', make: () => beside({ name: 'null', mode: 0o020644 }), expected: /entry "null" is a device/ },
  { item: 4, kind: 'a socket', make: () => beside({ name: 'sock', mode: 0o140644 }), expected: /entry "sock" is a device, pipe or socket/ },
  {
    item: 5,
    kind: 'setuid, setgid and sticky bits',
    make: () => beside(text('suid', { mode: 0o106755 }), text('open', { mode: 0o101666 })),
    expected: { suid: 0o755, open: 0o644 },
  },
  {
    item: 6,
    kind: 'archives in archives, 16 wide, 3 deep',
    make: () => beside({ name: 'bomb.zip', data: nested(3), method: 0 }),
    expected: { 'bomb.zip': 0o644 },
  },
  {
    item: 6,
    kind: '1 MB of zeros 1,000 to one',
    make: () => beside(text('zeros', { data: Buffer.alloc(64 * 1024 * 1024) })),
    expected: /entry "zeros" .* more than 200 times/,
  },
  { item: 7, kind: '300 names over one data', make: () => sharedData(300), expected: /entry "f\d+" overlaps/ },
  { item: 7, kind: 'quoted headers, each right (Fifield)', make: () => quoted(300), expected: /entry "f\d+" overlaps/ },
  {
    item: 8,
    kind: '60,000 empty files',
    make: () => writeZip(Array.from({ length: 60_000 }, (_, n) => ({ name: `${n}` }))),
    expected: /60000 entries; at most 20000/,
  },
  {
    item: 8,
    kind: 'a path 2,000 deep of 1,024 bytes',
    make: () => beside(text(`${'a/'.repeat(511)}x`)),
    expected: /entry "a\/a\/.*deeper than 40/,
  },
  { item: 8, kind: 'a path 2,000 deep', make: () => beside(text(`${'a/'.repeat(2000)}x`)), expected: /entry "a\/a\/.*longer than 1024/ },
  { item: 8, kind: 'a name of 64 kB', make: () => beside(text('n'.repeat(65_000))), expected: /entry "nnn.*longer than 1024/ },
  {
    item: 9,
    kind: 'a size stated too small',
    make: () => beside(text('small', { data: 'x'.repeat(5000), size: 10 })),
    expected: /entry "small" unpacks to more than its stated 10/,
  },
  {
    item: 9,
    kind: 'a size stated too large',
    make: () => beside(text('large', { data: 'x'.repeat(50), size: 9000 })),
    expected: /entry "large" unpacks to 50 bytes/,
  },
  { item: 9, kind: '4 GB stated', make: () => beside(text('huge', { size: 0xfffffff0 })), expected: /entry "huge" unpacks to 4294967280/ },
  { item: 9, kind: 'zip64: an entry of 2^62 bytes', make: () => withSizes64(2n ** 62n, 13n), expected: /directory is damaged|start\.sh/ },
  {
    item: 9,
    kind: 'zip64: an entry of 2^64 - 1 packed bytes',
    make: () => withSizes64(13n, 2n ** 64n - 1n),
    expected: /directory is damaged|start\.sh/,
  },
  { item: 9, kind: 'zip64: 2^40 entries', make: () => withEnd64({ entries: 2n ** 40n }), expected: /1099511627776 entries; at most 20000/ },
  {
    item: 9,
    kind: 'zip64: 20,000 entries stated, one there',
    make: () => withEnd64({ entries: 20_000n }),
    expected: /directory is damaged/,
  },
  {
    item: 9,
    kind: 'zip64: a directory of 2^63 bytes',
    make: () => withEnd64({ directoryBytes: 2n ** 63n }),
    expected: /directory isn’t where/,
  },
  {
    item: 9,
    kind: 'zip64: a directory beyond the file',
    make: () => withEnd64({ directoryAt: 2n ** 53n }),
    expected: /directory isn’t where/,
  },
  { item: 9, kind: 'zip64: a record beyond the file', make: () => withEnd64({ at: 2n ** 63n }), expected: /zip64 record is damaged/ },
  { item: 9, kind: 'zip64: a record that is not one', make: () => withEnd64({ at: 0n }), expected: /zip64 record is damaged/ },
  {
    item: 10,
    kind: 'agent.py twice',
    make: () => beside(text('agent.py'), text('agent.py', { data: 'other' })),
    expected: /both "agent\.py" and "agent\.py"/,
  },
  {
    item: 10,
    kind: 'agent.py and Agent.py',
    make: () => beside(text('agent.py'), text('Agent.py')),
    expected: /both "agent\.py" and "Agent\.py"/,
  },
  { item: 10, kind: 'NFC and NFD of é.py', make: () => beside(text('é.py'), text('e\u0301.py')), expected: /both "é\.py" and/ },
  {
    item: 10,
    kind: 'a file that is a folder, too',
    make: () => beside(text('a'), text('a/b')),
    expected: /entry "a" is a file and a folder/,
  },
  {
    item: 11,
    kind: 'another name in the local header',
    make: () => beside(text('good.py', { localName: 'evil.py' })),
    expected: /entry "good\.py" has another name/,
  },
  {
    item: 11,
    kind: 'another method in the local header',
    make: () => beside(text('good.py', { localMethod: 0 })),
    expected: /entry "good\.py" has another compression/,
  },
  {
    item: 11,
    kind: 'another size in the local header',
    make: () => beside(text('good.py', { localSize: 1 })),
    expected: /entry "good\.py" has other sizes/,
  },
  { item: 11, kind: 'two end records', make: () => writeZip([ok], { beforeEnd: endRecord(1, 46, 0) }), expected: /end record/ },
  { item: 11, kind: 'an end record in the comment', make: () => writeZip([ok], { comment: endRecord(0, 0, 0) }), expected: /end record/ },
  {
    item: 11,
    kind: 'an empty archive put before',
    make: () => Buffer.concat([endRecord(0, 0, 0), writeZip([ok])]),
    expected: /other data|not a ZIP/,
  },
  {
    item: 11,
    kind: 'a shell script put before',
    make: () => writeZip([ok], { prefix: Buffer.from('#!/bin/sh\n'), shift: true }),
    expected: /not a ZIP/,
  },
  {
    item: 11,
    kind: 'a local header put before, offsets right',
    make: () => writeZip([ok], { prefix: Buffer.from('PK\u0003\u0004hidden'), shift: true }),
    expected: /other data/,
  },
  {
    item: 11,
    kind: 'data between entries',
    make: () => writeZip([{ ...ok, gap: noise(100) }, text('a')]),
    expected: /hides data after its entry "start\.sh"/,
  },
  { item: 11, kind: 'data after the end', make: () => Buffer.concat([writeZip([ok]), noise(10)]), expected: /not a ZIP/ },
  { item: 12, kind: 'an encrypted entry', make: () => beside(text('locked', { flags: 0x801 })), expected: /entry "locked" is encrypted/ },
  {
    item: 12,
    kind: 'an unknown method',
    make: () => beside(text('lzma', { method: 14, packed: Buffer.from('x') })),
    expected: /entry "lzma" .*method 14/,
  },
  { item: 12, kind: 'a wrong checksum', make: () => beside(text('wrong', { crc: 7 })), expected: /entry "wrong" is damaged/ },
  {
    item: 12,
    kind: 'damaged data',
    make: () => beside(text('torn', { packed: Buffer.from([0xff, 0xff, 0xff]) })),
    expected: /entry "torn" is damaged/,
  },
  {
    item: 15,
    kind: 'files named -rf, $(id), `id`, ;id',
    make: () => beside(text('-rf'), text('$(id)'), text('`id`'), text('a;id|id'), text('\'"')),
    expected: { '-rf': 0o644, '$(id)': 0o644, '`id`': 0o644, 'a;id|id': 0o644, '\'"': 0o644 },
  },
  { item: 15, kind: 'a newline in a name', make: () => beside(text('a\nb')), expected: /entry "a\\nb" has control characters/ },
  {
    item: 15,
    kind: 'a terminal sequence in a name',
    make: () => beside(text('\u001b[2J')),
    expected: /entry "\\u001b\[2J" has control characters/,
  },
  {
    item: 15,
    kind: 'a right-to-left override in a name',
    make: () => beside(text('gpj.\u202egnp.sh')),
    expected: /entry "gpj\.\\u202e.*control characters/,
  },
  { item: 15, kind: 'a NUL in a name', make: () => beside(text('a.sh\u0000.txt')), expected: /entry "a\.sh\\u0000/ },
  {
    item: 15,
    kind: 'a name that is not UTF-8',
    make: () => beside({ name: Buffer.from([0xff, 0xfe, 0x41]), data: 'x' }),
    expected: /isn't valid UTF-8/,
  },
  {
    item: 15,
    kind: 'arguments of the sandbox behind a NUL in paddock.yaml',
    make: () => beside({ name: 'paddock.yaml', data: 'env:\n  A: "x\\0--ro-bind\\0/\\0/host"\n' }),
    expected: /paddock\.yaml:2:3: env contains a NUL/,
  },
  {
    item: 8,
    kind: '20,000 files of 30 kB: more than may be unpacked',
    long: true,
    make: () => writeZip(Array.from({ length: 19_999 }, (_, n) => ({ name: `${n}`, data: Buffer.alloc(40_000, `${n} `) }))),
    expected: /unpacks to more than \d+ bytes/,
  },
  {
    item: 9,
    kind: '200 MB in one file, honest',
    long: true,
    make: () => beside({ name: 'data.bin', data: noise(200 * 1024 * 1024), method: 0 }),
    expected: { 'data.bin': 0o644 },
  },
];
