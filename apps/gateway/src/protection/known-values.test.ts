import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownValues } from './known-values.ts';
import { Remembering } from './scan.ts';

function values(count: number, trace: number): Remembering {
  const made = new Remembering();
  for (let n = 0; n < count; n++) made.add('Email', `ada${n}@trace${trace}.example.com`);
  return made;
}

test('strangers make the gateway remember so many values and traces, and no more; the latest are kept', () => {
  const known = knownValues({ maxTraces: 10, maxValues: 100, keptMs: 60_000 });
  for (let trace = 0; trace < 50; trace++) known.keep(`${trace}`, values(30, trace));
  assert.equal(known.size(), 90);
  assert.equal(known.of('49').size, 30);
  assert.equal(known.of('0').size, 0);
  for (let trace = 50; trace < 100; trace++) known.keep(`${trace}`, values(1, trace));
  assert.equal(known.size(), 10);
});

test('the same trace counts once, and after its time it is known no more', () => {
  const known = knownValues({ maxTraces: 10, maxValues: 100, keptMs: -1 });
  const one = values(5, 1);
  known.keep('a', one);
  one.add('Email', 'eve@example.com');
  known.keep('a', one);
  assert.equal(known.size(), 6);
  assert.equal(known.of('a').size, 0);
});
