import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { matches } from './version.ts';

test('version clauses are read as PEP 440 and Poetry mean them', () => {
  const yes: [string, string][] = [
    ['>=3.9', '3.11.2'],
    ['~=3.9', '3.11.2'],
    ['^3.9', '3.11.2'],
    ['==3.11.*', '3.11.2'],
    ['>=3.8, <3.12', '3.11.2'],
    ['3.11', '3.11.2'],
    ['<=3.11', '3.11.2'],
    ['==3.11', '3.11.2'],
    ['== 3.11.2', '3.11.2'],
    ['>=3.9,', '3.11.2'],
    ['~3.11', '3.11.2'],
    ['^2.7 || ^3.9', '3.11.2'],
  ];
  const no: [string, string][] = [
    ['>=3.12', '3.11.2'],
    ['~=3.9.1', '3.11.2'],
    ['<3.11', '3.11.2'],
    ['!=3.11.*', '3.11.2'],
    ['>3.11', '3.11.2'],
    ['!=3.11.2', '3.11.2'],
    ['==3.1', '3.11.2'],
    ['3.1', '3.11.2'],
    ['^2.7', '3.11.2'],
  ];
  for (const [range, version] of yes) assert.ok(matches(range, version), `${version} fits ${range}`);
  for (const [range, version] of no) assert.ok(!matches(range, version), `${version} doesn't fit ${range}`);
});

test('of two full versions exactly one is the smaller, or both are the same', () => {
  const part = fc.nat(30);
  const version = fc.tuple(part, part, part).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(version, version, (wanted, present) => {
      const fitting = ['<', '==', '>'].filter((operator) => matches(`${operator}${wanted}`, present));
      assert.equal(fitting.length, 1, fitting.join());
      assert.equal(matches(`>=${wanted}`, present), fitting[0] !== '<');
      assert.equal(matches(`<=${wanted}`, present), fitting[0] !== '>');
      assert.equal(matches(`!=${wanted}`, present), fitting[0] !== '==');
    }),
  );
});
