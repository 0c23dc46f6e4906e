import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { judge, preflight } from './preflight.ts';
import { readZipDirectory, type ZipEntry, ZipError } from './zip-directory.ts';

const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])));
const fileOf = (bytes: Uint8Array, name = 'agent.zip') => new File([bytes as BlobPart], name);
const entry = (more: Partial<ZipEntry>): ZipEntry => ({
  name: 'main.py',
  packed: 10,
  unpacked: 10,
  isFolder: false,
  isEncrypted: false,
  isLink: false,
  method: 8,
  offset: 0,
  ...more,
});
/** Changes a field of the first entry in the directory. */
function forge(bytes: Uint8Array, { offset, value, size }: { offset: number; value: number; size: 2 | 4 }) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = view.getUint32(bytes.byteLength - 22 + 16, true);
  if (size === 2) view.setUint16(directory + offset, value, true);
  else view.setUint32(directory + offset, value, true);
  return bytes;
}

test('an ordinary archive is described with its stack and passes', async () => {
  const result = await preflight(fileOf(zip({ 'agent/main.py': 'print(1)', 'agent/requirements.txt': 'fastapi' })));
  expect(result).toMatchObject({
    files: 2,
    problems: [],
    warnings: [],
    stack: { language: 'Python', because: 'requirements.txt', entry: 'main.py' },
  });
});

test('names and sizes are read from the directory alone', async () => {
  const entries = await readZipDirectory(fileOf(zip({ 'a.txt': 'hello', 'päth/b.txt': 'x'.repeat(5000) })));
  expect(entries.map(({ name, unpacked }) => [name, unpacked])).toEqual([
    ['a.txt', 5],
    ['päth/b.txt', 5000],
  ]);
});

test('a comment that imitates the end of an archive does not mislead', async () => {
  const bytes = zip({ 'a.txt': 'hello' });
  const comment = new Uint8Array(40);
  comment.set([0x50, 0x4b, 0x05, 0x06], 4);
  const whole = new Uint8Array(bytes.length + comment.length);
  whole.set(bytes);
  whole.set(comment, bytes.length);
  new DataView(whole.buffer).setUint16(bytes.length - 2, comment.length, true);
  expect((await readZipDirectory(fileOf(whole))).map(({ name }) => name)).toEqual(['a.txt']);
});

test.each([
  ['an empty file', new Uint8Array(0)],
  ['text', new TextEncoder().encode('this is no archive at all, not even nearly')],
  ['an archive cut off in front', zip({ 'a.txt': 'x'.repeat(2000) }).slice(60)],
  [
    'a directory that claims to be elsewhere',
    (() => {
      const bytes = zip({ 'a.txt': 'x' });
      new DataView(bytes.buffer, bytes.byteOffset).setUint32(bytes.length - 22 + 16, 0x7fffffff, true);
      return bytes;
    })(),
  ],
  ['a name longer than the directory', forge(zip({ 'a.txt': 'x' }), { offset: 28, value: 0xfff0, size: 2 })],
])('%s is refused in words, not by a crash', async (_, bytes) => {
  await expect(readZipDirectory(fileOf(bytes))).rejects.toBeInstanceOf(ZipError);
  expect((await preflight(fileOf(bytes))).problems).toHaveLength(1);
});

test('a file of another ending, or larger than allowed, is not even opened', async () => {
  expect((await preflight(fileOf(new Uint8Array(3), 'agent.tar.gz'))).problems).toEqual(['The file must be a .zip archive.']);
  const huge = Object.defineProperty(fileOf(new Uint8Array(3)), 'size', { value: 300 * 1024 ** 2 });
  expect((await preflight(huge)).problems).toEqual(['The ZIP file is 300 MB; the limit is 250 MB.']);
});

test('an encrypted entry is found by its flag', async () => {
  const result = await preflight(fileOf(forge(zip({ 'secret.py': 'x' }), { offset: 8, value: 1, size: 2 })));
  expect(result.problems).toEqual(['“secret.py” is encrypted. Pack the archive without a password.']);
});

test.each(['../evil', 'a/../../evil', 'a\\..\\..\\evil', 'a/..'])('%s points outside and is refused', (name) => {
  expect(judge([entry({ name })]).problems.join()).toContain('points outside the archive');
});

test.each(['/etc/passwd', 'C:\\windows\\x', 'c:x', '\\\\host\\share'])('%s is absolute and is refused', (name) => {
  expect(judge([entry({ name })]).problems.join()).toContain('absolute path');
});

test('names that only look like an escape pass', () => {
  expect(judge([entry({ name: 'a/..b/c...txt' }), entry({ name: './main.py' })]).problems).toEqual([]);
});

test.each([
  ['too many entries', Array.from({ length: 20_001 }, (_, index) => entry({ name: `f${index}` })), 'more than 20,000'],
  [
    'too much in all',
    Array.from({ length: 4 }, (_, index) => entry({ name: `f${index}`, packed: 200e6, unpacked: 200 * 1024 ** 2 })),
    'Unpacked, the archive is 800 MB',
  ],
  ['one file too large', [entry({ packed: 257e6, unpacked: 257 * 1024 ** 2 })], 'the limit per file is 256 MB'],
  ['a bomb', [entry({ packed: 1000, unpacked: 100 * 1024 ** 2 })], 'more than 200 times'],
  ['folders too deep', [entry({ name: `${'a/'.repeat(41)}x` })], 'more than 40 folders deep'],
  ['a name too long', [entry({ name: 'é'.repeat(600) })], 'longer than 1024 bytes'],
  ['a name with a line break', [entry({ name: 'a\nb' })], 'control characters'],
  ['another packing', [entry({ method: 12 })], 'other than deflate'],
  ['no files', [entry({ name: 'folder/', isFolder: true })], 'contains no files'],
])('%s is refused with its number', (_, entries, said) => {
  expect(judge(entries).problems.join('\n')).toContain(said);
});

test('thousands of bad entries are one sentence', () => {
  const { problems } = judge(Array.from({ length: 3000 }, (_, index) => entry({ name: `../x${index}` })));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('2999 more');
});

test('the directory of an archive with a million claimed entries is read only as far as is allowed', async () => {
  const files = Object.fromEntries(Array.from({ length: 20_050 }, (_, index) => [`f${index}`, '']));
  const entries = await readZipDirectory(fileOf(zip(files)));
  expect(entries).toHaveLength(20_001);
});

test('what should not be packed is warned of', () => {
  const { warnings } = judge([entry({}), entry({ name: 'node_modules/x/index.js' }), entry({ name: '.env' })]);
  expect(warnings).toHaveLength(2);
});

test.each([
  [['package.json', 'index.js'], 'Node.js', 'index.js'],
  [['app.py'], 'Python', 'app.py'],
  [['index.html', 'style.css'], 'Static site', 'index.html'],
  [['x/start.sh'], 'Shell script', 'start.sh'],
])('%j looks like %s', (names, language, started) => {
  expect(judge(names.map((name) => entry({ name }))).stack).toMatchObject({ language, entry: started });
});

/** An archive with symbolic links: fflate writes Unix modes with `os` 3. */
const zipWithLinks = (files: Record<string, string>, links: Record<string, string>, level: 0 | 6 = 6) => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const linkOptions = { os: 3, attrs: (0o120777 << 16) >>> 0, level } as const;
  return zipSync({
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytes(text)])),
    ...Object.fromEntries(Object.entries(links).map(([name, target]) => [name, [bytes(target), linkOptions] as const])),
  });
};

test.each([0, 6] as const)(
  'a link out of the archive is named, a link within it or of installed packages passes (level %i)',
  async (level) => {
    const files = { 'desk/main.py': 'print(1)', 'desk/AGENTS.md': 'rules', 'desk/env/pyvenv.cfg': '' };
    const inside = {
      'desk/CLAUDE.md': 'AGENTS.md',
      'desk/.git': '/srv/git',
      'desk/node_modules': '../../shared',
      'desk/.venv/bin/python': '/usr/bin/python3',
      'desk/env/bin/python': '/usr/bin/python3',
    };
    expect((await preflight(fileOf(zipWithLinks(files, inside, level)))).problems).toEqual([]);
    for (const target of ['/etc/passwd', '../../x', 'CLAUDE.md/../../../x', '..\\x'])
      expect((await preflight(fileOf(zipWithLinks(files, { ...inside, 'desk/away': target }, level)))).problems).toEqual([
        '“desk/away” is a symbolic link that points outside the archive. Replace it with the file itself.',
      ]);
  },
);

test('names that begin with “./” and names with backslashes throughout are paths like all others', async () => {
  const dotted = await preflight(fileOf(zip({ './': '', './main.py': 'print(1)', './requirements.txt': 'fastapi' })));
  expect(dotted).toMatchObject({ files: 2, problems: [], stack: { language: 'Python', entry: 'main.py' } });
  const entries = ['desk\\', 'desk\\app.py', 'desk\\data\\x.txt'].map((name) => entry({ name }));
  expect(judge(entries)).toMatchObject({ files: 2, problems: [], stack: { root: 'desk/', entry: 'app.py' } });
  expect(judge([entry({ name: 'a/b' }), entry({ name: 'c\\d' })]).problems.join()).toContain('has a backslash');
});
