import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { canonical } from './canonical.ts';
import type { Json } from './event.ts';

/** RFC 8785 in the plainest form: each value written by itself. */
function plainly(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(plainly).join()}]`;
  const keys = Object.keys(value).toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return `{${keys.map((key) => `${plainly(key)}:${plainly(value[key]!)}`).join()}}`;
}

/** Objects as JSON.parse makes them: `__proto__` is a key like others. */
const json = fc.json({ maxDepth: 5, stringUnit: 'binary' }).map((text) => JSON.parse(text) as Json);

test('any JSON has one text, whatever the order of its keys', () => {
  fc.assert(
    fc.property(json, (value) => {
      assert.equal(canonical(value), plainly(value));
      assert.equal(canonical(reversed(value)), canonical(value));
    }),
    { numRuns: 2_000 },
  );
});

test('keys that are numbers, __proto__, and texts that are not well-formed are sorted and written as RFC 8785 says', () => {
  const of = (text: string) => canonical(JSON.parse(text) as Json);
  assert.equal(of('{"b":1,"10":2,"9":{"z":[{"y":1,"x":2}],"a":null}}'), '{"10":2,"9":{"a":null,"z":[{"x":2,"y":1}]},"b":1}');
  assert.equal(of('{"b":1,"__proto__":{"d":1,"c":2}}'), '{"__proto__":{"c":2,"d":1},"b":1}');
  assert.equal(of(String.raw`{"text":"\ud800","a":["\udc00x"]}`), '{"a":["\ufffdx"],"text":"\ufffd"}');
  assert.equal(of(String.raw`{"\ud83d\ude00":1,"\ufb33":2}`), '{"\u{1F600}":1,"\ufb33":2}');
  assert.equal(of('[3,{"b":true,"a":-0}]'), '[3,{"a":0,"b":true}]');
});

function reversed(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(reversed);
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]));
}
