import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { archiveLimits } from '@paddock/contract/limits';
import { listFiles } from './list-files.ts';

function folderWith(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-files-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
const list = (folder: string) => listFiles(folder, AbortSignal.timeout(10_000));
const names = async (folder: string) => (await list(folder)).files.map(({ name }) => name);

test('.gitignore files leave out what git itself leaves out', async (t) => {
  const paths = [
    'a.log',
    'b.txt',
    'build/x.js',
    'src/build/y.js',
    'src/keep.log',
    'src/deep/c.log',
    'src/deep/d.tmp',
    'doc/e.md',
    'doc/notes/f.md',
  ];
  const more = [
    'Upper.LOG',
    '#hash',
    '!bang',
    'trail ',
    'src/only/g.ts',
    'src/only/h.js',
    'lib/a/b/c.txt',
    'lib/c.txt',
    'x[1].txt',
    'x1.txt',
    'data/1/z.bin',
  ];
  const folder = folderWith(t, {
    ...Object.fromEntries([...paths, ...more].map((path) => [path, path])),
    '.gitignore': [
      '*.log',
      '!keep.log',
      '/build/',
      '# a comment',
      '\\#hash',
      '\\!bang',
      'trail\\ ',
      'lib/**/c.txt',
      'x\\[1\\].txt',
      'data/*',
      '!data/1/',
      '',
    ].join('\n'),
    'src/.gitignore': 'deep/*.tmp\n!deep/c.log\nonly/*\n!only/*.ts\n',
    'doc/.gitignore': '*\n!.gitignore\n!e.md\n',
  });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } });
  git('init', '-q');
  const wanted = git('ls-files', '-coz', '--exclude-standard').split('\0').filter(Boolean).sort();
  assert.ok(wanted.includes('src/keep.log') && !wanted.includes('a.log'));
  assert.deepEqual((await names(folder)).sort(), wanted);
  // The rules above also apply to a folder within the repository.
  assert.deepEqual(
    await names(join(folder, 'src')),
    wanted.filter((path) => path.startsWith('src/')).map((path) => path.slice(4)),
  );
  // A person who names an ignored folder wants it.
  assert.deepEqual(await names(join(folder, 'build')), ['x.js']);
});

test('.paddockignore leaves out more, and brings back what git ignores', async (t) => {
  const folder = folderWith(t, {
    ...{ 'main.py': '', 'dist/app.js': '', 'tests/big.py': '', 'secret.txt': '' },
    ...{ '.gitignore': 'dist/\nsecret.txt\n', '.paddockignore': '!dist/\ntests/\n' },
  });
  assert.deepEqual(await names(folder), ['.gitignore', 'dist/app.js', 'main.py']);
});

test('repositories, dependencies, .env files and links that lead out stay here whatever the rules say', async (t) => {
  const folder = folderWith(t, {
    ...{
      'main.py': 'x',
      '.git/config': '',
      'node_modules/a/index.js': '',
      'web/node_modules/b.js': '',
      'env/pyvenv.cfg': '',
      'env/bin/python': '',
    },
    ...{ '.env': 'A=1', 'web/.env.local': 'B=2', '.env.example': 'A=', '.paddockignore': '!.env\n!node_modules/\n!.git/\n' },
  });
  chmodSync(join(folder, 'main.py'), 0o755);
  symlinkSync('/etc/passwd', join(folder, 'passwd'));
  symlinkSync('main.py', join(folder, 'same.py'));
  symlinkSync('..', join(folder, 'up'));
  symlinkSync('nowhere', join(folder, 'broken'));
  const found = await list(folder);
  assert.deepEqual(
    found.files.map(({ name }) => name),
    ['.env.example', 'main.py', 'same.py'],
  );
  assert.deepEqual(
    [found.env_files.sort(), found.dependency_folders.sort(), found.links.sort()],
    [
      ['.env', 'web/.env.local'],
      ['env/', 'node_modules/', 'web/node_modules/'],
      ['broken', 'passwd', 'up'],
    ],
  );
});

test('what no archive may be is refused before anything is packed, in words that say what to do', async (t) => {
  await assert.rejects(list(folderWith(t, { '.env': '' })), /nothing to deploy/);
  await assert.rejects(list(folderWith(t, { 'a\\b': '' })), /cannot carry/);
  await assert.rejects(list(folderWith(t, { [`${'d/'.repeat(archiveLimits.depth)}x`]: '' })), /more than 40 folders deep/);
  const folder = folderWith(t, { 'model.bin': '', 'other.bin': '', 'third.bin': '' });
  truncateSync(join(folder, 'model.bin'), archiveLimits.fileBytes + 1);
  await assert.rejects(list(folder), /model\.bin is 256 MB.*\.paddockignore/);
  for (const name of ['model.bin', 'other.bin', 'third.bin']) truncateSync(join(folder, name), archiveLimits.fileBytes - 1);
  await assert.rejects(list(folder), /The files are 768 MB; at most 750 MB.*The largest: model\.bin/);
});

test('files that look like secrets stay, unless git holds them or they are asked for', async (t) => {
  const key = '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n';
  const folder = folderWith(t, { 'main.py': '', 'credentials.json': '{}', 'tls/server.key': key, 'tls/ca.pem': 'public' });
  const found = await list(folder);
  assert.deepEqual(found.secrets.toSorted(), ['credentials.json', 'tls/server.key']);
  assert.deepEqual(await names(folder), ['main.py', 'tls/ca.pem']);
  const asked = await listFiles(folder, AbortSignal.timeout(10_000), ['tls/server.key']);
  assert.deepEqual(
    [asked.secrets, asked.files.map(({ name }) => name)],
    [['credentials.json'], ['main.py', 'tls/ca.pem', 'tls/server.key']],
  );
  await assert.rejects(
    listFiles(folder, AbortSignal.timeout(10_000), ['server.key']),
    /--include server\.key: no file of that name is sent/,
  );
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', 'credentials.json'], { cwd: folder });
  assert.deepEqual((await list(folder)).secrets, ['tls/server.key']);
});
