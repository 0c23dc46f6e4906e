import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { giveBack, passOn } from './text/gateway-readers.ts';
import { growthOf } from './text/growth.ts';
import { costOf, mixed } from './text/head-cost.ts';
import { answerHead, requestHead, shapes } from './text/hostile-heads.ts';
import { readers } from './text/readers.ts';

const hostile = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\0',
  '\u2028',
  '\ud800',
  'İ',
  'a',
  'A',
  '0',
  '=',
  ';',
  ',',
  '%',
  '%25',
  '.',
  ':',
  '/',
  '@',
  '#',
];
const brackets = ['"', "'", '\\', '[', ']', '(', '{', '<', '>', '|', '-', '_', '+', '&', '?', '://', '\u001b[', '\ufeff'];
const words = [
  'domain',
  '; Domain=',
  'Error',
  'ERROR: ',
  'level=',
  'token=',
  'chunked',
  '127.0.0.1',
  '::',
  'A="',
  "A='\n",
  'export ',
  ' # ',
  '{"',
];
const piece = fc.constantFrom(...hostile, ...brackets, ...words);
/** A beginning, a repeated part, and an end that does not match. */
const shape = fc.record({
  head: fc.array(piece, { maxLength: 3 }),
  unit: fc.array(piece, { minLength: 1, maxLength: 3 }),
  tail: fc.array(piece, { maxLength: 2 }),
});
const perReader = 25;

/** Shapes that made patterns hang: a reported one and its variants. */
const heads = ['', 'a=1; Domain=', 'A=', 'http://'];
const units = [' ', '\t', 'a', 'a,', '; ', '\u2028', '[', '-', '/', '\0'];
const known = heads.flatMap((head) =>
  units.flatMap((unit) => ['\nx', 'x"y'].map((tail) => ({ head: [head], unit: [unit], tail: [tail] }))),
);

for (const [name, read] of Object.entries(readers))
  test(`time grows with the length alone: ${name}`, { timeout: 300_000 }, () => {
    const holds = ({ head, unit, tail }: { head: string[]; unit: string[]; tail: string[] }) => {
      const repeated = unit.join('');
      const textOf = (size: number) => `${head.join('')}${repeated.repeat(Math.ceil(size / repeated.length))}${tail.join('')}`;
      const { isSuperlinear, ms } = growthOf(read, textOf);
      assert.ok(!isSuperlinear, `1, 2, 4 … KiB take ${ms.map((one) => one.toFixed(1)).join(', ')} ms`);
    };
    for (const one of known) holds(one);
    fc.assert(fc.property(shape, holds), { numRuns: perReader, endOnFailure: true });
  });

test('what is quadratic is found, and what is linear is not', () => {
  const blanks = (size: number) => `${' '.repeat(size)}x`;
  assert.equal(growthOf((text) => /\s+$/.test(text), blanks).isSuperlinear, true);
  assert.equal(growthOf((text) => text.trimEnd(), blanks).isSuperlinear, false);
});

for (const [name, shape] of Object.entries(shapes))
  test(`the time for a head grows with its length alone: ${name}`, () => {
    for (const [read, head] of [
      [passOn, requestHead],
      [giveBack, answerHead],
    ] as const) {
      const { isSuperlinear, ms } = growthOf(
        (text) => read(text),
        (size) => head(shape(size)),
      );
      assert.ok(!isSuperlinear, `1, 2, 4 … KiB take ${ms.map((one) => one.toFixed(1)).join(', ')} ms`);
    }
  });

test('a head of 64 KiB keeps everybody waiting for a moment at most, whatever it is made of', (t) => {
  // Most heads take a third of a millisecond. A busy or slow machine takes longer for all of them, so the measure is one plain value of that size.
  const maxTimes = 12;
  const tries = 5;
  const plain = () => costOf(shapes['one huge value']!);
  const worst = { name: '', ms: 0 };
  const isCheap = (names: string[]) => {
    const { request, answer } = costOf(mixed(names.map((name) => shapes[name]!)));
    const ms = Math.max(request, answer);
    if (ms > worst.ms) Object.assign(worst, { name: names.join(' + '), ms });
    return ms < 1 || ms < maxTimes * plain().answer;
  };
  const holds = (names: string[]) => {
    for (let run = 1; !isCheap(names); run++) assert.ok(run < tries, `${names.join(' + ')} takes ${worst.ms.toFixed(1)} ms`);
  };
  const name = fc.constantFrom(...Object.keys(shapes));
  for (const one of Object.keys(shapes)) holds([one]);
  fc.assert(fc.property(fc.array(name, { minLength: 2, maxLength: 4 }), holds), { numRuns: 100, endOnFailure: true });
  t.diagnostic(`the worst head took ${worst.ms.toFixed(2)} ms: ${worst.name}`);
});
