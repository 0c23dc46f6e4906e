import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownValues, type TraceKey } from './known-values.ts';
import { KnownValueSet } from './scan.ts';

const traceOf = (team_id: string, traceId: string, project_id = 'prj_1'): TraceKey => ({ team_id, project_id, traceId });

function values(count: number, trace: number): KnownValueSet {
  const made = new KnownValueSet();
  for (let n = 0; n < count; n++) made.add('Email', `ada${n}@trace${trace}.example.com`);
  return made;
}

test('strangers make the gateway remember so many values and traces, and no more; the latest are kept', () => {
  const known = knownValues({ maxTraces: 10, maxValues: 100, keptMs: 60_000 });
  for (let trace = 0; trace < 50; trace++) known.keep(traceOf('tea_1', `${trace}`), values(30, trace));
  assert.equal(known.size(), 90);
  assert.equal(known.of(traceOf('tea_1', '49')).size, 30);
  assert.equal(known.of(traceOf('tea_1', '0')).size, 0);
  for (let trace = 50; trace < 100; trace++) known.keep(traceOf('tea_1', `${trace}`), values(1, trace));
  assert.equal(known.size(), 10);
});

test('the same trace counts once, and after its time it is known no more', () => {
  const known = knownValues({ maxTraces: 10, maxValues: 100, keptMs: -1 });
  const one = values(5, 1);
  known.keep(traceOf('tea_1', 'a'), one);
  one.add('Email', 'eve@example.com');
  known.keep(traceOf('tea_1', 'a'), one);
  assert.equal(known.size(), 6);
  assert.equal(known.of(traceOf('tea_1', 'a')).size, 0);
});

test('teams and projects that name the same trace have values of their own', () => {
  const known = knownValues({ maxTraces: 10, maxValues: 100, keptMs: 60_000 });
  known.keep(traceOf('tea_1', 'a'), values(5, 1));
  assert.equal(known.of(traceOf('tea_1', 'a')).size, 5);
  assert.equal(known.of(traceOf('tea_2', 'a')).size, 0);
  assert.equal(known.of(traceOf('tea_1', 'a', 'prj_2')).size, 0);
});

test("a team that fills the memory with traces or values makes its own be forgotten, and no other team's", () => {
  for (const count of [1, 30]) {
    const known = knownValues({ maxTraces: 10, maxValues: 100, keptMs: 60_000 });
    known.keep(traceOf('tea_quiet', 'a'), values(5, 1));
    for (let trace = 0; trace < 50; trace++) known.keep(traceOf('tea_loud', `${trace}`), values(count, trace));
    assert.equal(known.of(traceOf('tea_quiet', 'a')).size, 5);
    assert.equal(known.of(traceOf('tea_loud', '49')).size, count);
    assert.ok(known.size() <= 100);
  }
});

test('a trace with more values than all may have is kept alone', () => {
  const known = knownValues({ maxTraces: 10, maxValues: 100, keptMs: 60_000 });
  known.keep(traceOf('tea_1', 'a'), values(50, 1));
  known.keep(traceOf('tea_2', 'b'), values(120, 2));
  assert.equal(known.size(), 120);
  known.keep(traceOf('tea_3', 'c'), values(1, 3));
  assert.equal(known.size(), 1);
});
