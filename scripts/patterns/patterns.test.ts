import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenPatterns } from '../patterns.ts';
import { findInSql, findPatterns } from './find.ts';
import { widened } from './judge.ts';

const inFile = (text: string) => findPatterns(text).map(({ line, source }) => [line, source]);

/** The law's message about one pattern, without the exceptions, whose files are not here. */
async function saidOf(pattern: string): Promise<string> {
  const patterns = findPatterns(`const pattern = ${pattern};`).map((found) => ({ path: 'a.ts', ...found }));
  return (await brokenPatterns(patterns)).filter((one) => one.startsWith('a.ts')).join('\n');
}

test('the law sees literals, texts that become patterns, and constants that make them', () => {
  assert.deepEqual(inFile("const a = b / c / d;\ntext.split(/x+/g);\nconst tpl = `${text.replace(/y/, '')}`;"), [
    [2, 'x+'],
    [3, 'y'],
  ]);
  assert.deepEqual(inFile("const word = '(a|b)';\nnew RegExp(`^${word}$`, 'i');\nRegExp('c' + word);\ntext.match('d+');"), [
    [2, '^(a|b)$'],
    [3, 'c(a|b)'],
    [4, 'd+'],
  ]);
  assert.deepEqual(inFile('const made = (name: string) => new RegExp(`^${name}`);'), [[1, undefined]]);
});

test('the law sees what PostgreSQL matches', () => {
  assert.deepEqual(inFile("sql`select 1 where name ~ '^a+$' and\n  other ~* ${pattern} or x similar to ${y}`"), [
    [1, '^a+$'],
    [2, undefined],
    [2, undefined],
  ]);
  assert.equal(findInSql("select regexp_replace(a, 'b+', '') from c").length, 1);
  assert.deepEqual(
    findInSql("select 1 where a like 'b%'").map(({ source }) => source),
    ['like'],
  );
});

test('a pattern that a stranger can make quadratic is refused with its place and an attack', async () => {
  for (const pattern of [String.raw`/^\s+|\s+$/g`, String.raw`/^\s*domain\s*=\s*"?\.?([^"]*?)"?\s*$/i`, String.raw`/\s+#.*$/`, '/(a+)+$/'])
    assert.match(await saidOf(pattern), /^a\.ts:1 .*\n {4}(\d(nd|rd|th) degree polynomial|exponential), attacked by '/, pattern);
});

test('what the checker cannot decide, or what is made at run time, is refused until somebody says why it is harmless', async () => {
  assert.match(await saidOf('/(a|b)+(?!c)/'), /undecided: look-ahead assertion/);
  assert.match(await saidOf('new RegExp(given)'), /made at run time/);
});

test('a linear pattern passes once it is on the list, also one with long bounded repeats', async () => {
  for (const pattern of [String.raw`/^[\w.-]{1,512}$/`, String.raw`/;\s*q=/`, String.raw`/^\d{4}-\d\d$/`])
    assert.match(
      await saidOf(pattern),
      /^a\.ts:1 .*\n {4}is linear; add it to the list with `node scripts\/patterns\.ts --record`$/,
      pattern,
    );
  assert.equal(await saidOf(String.raw`/\s+/g`), '');
});

test('only long repeats lose their bound for the proof', () => {
  assert.equal(widened(String.raw`a{3}b{1,8}c{1,9}d{0,64}e{2,}\{1,99}`), String.raw`a{3}b{1,8}c+d*e+\{1,99}`);
});
