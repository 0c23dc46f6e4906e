import { parseEnv } from '@paddock/contract/parse-env';
import { expect, test } from 'vitest';

const values = (text: string) => Object.fromEntries(parseEnv(text).variables.map(({ key, value }) => [key, value]));

test('comments, blank lines, export and spaces are understood', () => {
  expect(values('\uFEFF# a comment\n\nexport A=1\n  B = two words  \r\nC=x # said\nD=a#b\nE=')).toEqual({
    A: '1',
    B: 'two words',
    C: 'x',
    D: 'a#b',
    E: '',
  });
});

test('quotes keep spaces and signs, and only double ones know escapes', () => {
  expect(values(`A=" x # y "\nB='it\\n $HOME'\nC="a\\nb\\t\\"c\\" \\\\ \\d"`)).toEqual({
    A: ' x # y ',
    B: 'it\\n $HOME',
    C: 'a\nb\t"c" \\ \\d',
  });
});

test('a quoted value may span lines', () => {
  expect(values('KEY="-----BEGIN\nabc=\n-----END"\nNEXT=1')).toEqual({ KEY: '-----BEGIN\nabc=\n-----END', NEXT: '1' });
});

test('of a name given twice the last value counts', () => {
  expect(values('A=1\nA=2')).toEqual({ A: '2' });
});

test('what cannot be taken is named with its line, and the rest is taken', () => {
  const { variables, problems } = parseEnv('A=1\nnonsense\nPORT=80\n2X=1\nB="open\nC=3');
  expect(variables.map(({ key }) => key)).toEqual(['A', 'C']);
  expect(problems).toEqual([
    { line: 2, message: 'Expected NAME=value' },
    { line: 3, message: 'PORT is set by Paddock and cannot be overridden' },
    { line: 4, message: 'Name can only contain letters, numbers, and underscores, and cannot start with a number' },
    { line: 5, message: 'The quote that opens the value of B is never closed' },
  ]);
});

test('text after a closing quote is not swallowed', () => {
  expect(parseEnv('A="x"y\nB="z" # fine').problems).toEqual([{ line: 1, message: 'After the value of A stands more text' }]);
});

test('a long block of open quotes is answered within a second', () => {
  const begun = performance.now();
  parseEnv(Array.from({ length: 5000 }, (_, index) => `K${index}=${index % 2 ? '"' : "'"}open`).join('\n'));
  expect(performance.now() - begun).toBeLessThan(1000);
});
