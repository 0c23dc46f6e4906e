import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Known } from '@paddock/pii';
import { traceValues } from './trace-values.ts';

const bounds = { keptMs: 60_000, traces: 3, values: 5, allValues: 8 };

/** Trace values with a clock that only the test moves. */
function held() {
  const clock = { now: 0 };
  const values = traceValues(bounds, () => clock.now);
  const add = (team: string, trace: string, count = 1) => {
    const known: Known = values.of(team, trace);
    for (let n = 0; n < count; n++) known.add('Email', `${trace}${n}@example.com`);
    values.evict(team, new Map([[trace, known]]));
  };
  return { clock, add, sizeOf: (team: string, trace: string) => values.of(team, trace).size };
}

test('values of a trace are known for a minute after something was found last', () => {
  const { clock, add, sizeOf } = held();
  add('a', 'one');
  clock.now = 50_000;
  add('a', 'one', 2);
  clock.now = 100_000;
  assert.equal(sizeOf('a', 'one'), 2);
  clock.now = 120_000;
  assert.equal(sizeOf('a', 'one'), 0);
});

test('a team that makes many traces, or finds many values, loses its own oldest ones', () => {
  const { add, sizeOf } = held();
  add('b', 'theirs');
  for (const trace of ['one', 'two', 'three', 'four']) add('a', trace);
  assert.deepEqual([sizeOf('a', 'one'), sizeOf('a', 'four')], [0, 1]);
  add('a', 'five', 4);
  assert.deepEqual([sizeOf('a', 'three'), sizeOf('a', 'five'), sizeOf('b', 'theirs')], [0, 4, 1]);
});

test('all teams together have a bound, at which the one that was silent for longest loses its values', () => {
  const { add, sizeOf } = held();
  add('a', 'one', 4);
  add('b', 'two', 4);
  add('c', 'three', 1);
  assert.deepEqual([sizeOf('a', 'one'), sizeOf('b', 'two'), sizeOf('c', 'three')], [0, 4, 1]);
});
