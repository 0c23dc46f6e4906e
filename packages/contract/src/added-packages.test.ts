import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxAddedPackages, readAddedPackages } from './added-packages.ts';

test('packages are parted by blanks, lines and commas with blanks; a version may have commas', () => {
  const text = ' ddgs, openai>=1,<2\n@ai-sdk/openai@^2.0.1  uvicorn[standard]==0.30.* ,ddgs next-themes@latest ';
  assert.deepEqual(readAddedPackages(text), {
    packages: ['ddgs', 'openai>=1,<2', '@ai-sdk/openai@^2.0.1', 'uvicorn[standard]==0.30.*', 'next-themes@latest'],
  });
  assert.deepEqual(readAddedPackages('  '), { packages: [] });
});

for (const text of [
  '--index-url=x',
  '-r list.txt',
  'a@https://example.org/a.zip',
  'git+ssh://a',
  '../own',
  './own',
  'a;b',
  'a@file:../b',
  '$(id)',
  'a/b',
])
  test(`${text} is no name of a package`, () => assert.match(readAddedPackages(`ddgs ${text}`).wrong ?? '', /^has “.+”, which is no name/));

test('more packages than a person adds by hand are refused, and a long text takes no longer than its length', () => {
  const many = Array.from({ length: maxAddedPackages + 1 }, (_, at) => `a${at}`).join(' ');
  assert.match(readAddedPackages(many).wrong ?? '', /more than 50/);
  assert.ok(readAddedPackages(`${','.repeat(200_000)} ${', '.repeat(200_000)}`).packages.length === 0);
});
