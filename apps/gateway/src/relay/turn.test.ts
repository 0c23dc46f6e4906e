import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Turn } from './turn.ts';

function clock(t: TestContext) {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  return (ms: number) => {
    now += ms;
  };
}

test('a connection whose reads are dear makes way for the others after a millisecond', (t) => {
  const pass = clock(t);
  const turn = new Turn();
  const ends: boolean[] = [];
  for (let read = 0; read < 6; read++) {
    turn.begin();
    pass(0.4);
    ends.push(turn.end());
    pass(0.01);
  }
  assert.deepEqual(ends, [false, false, true, false, false, true]);
});

test('a connection whose reads are cheap, or that others were served between, goes on', (t) => {
  const pass = clock(t);
  const turn = new Turn();
  for (let read = 0; read < 100; read++) {
    turn.begin();
    pass(0.4);
    assert.equal(turn.end(), false);
    pass(0.5);
  }
  pass(10);
  for (let read = 0; read < 20; read++) {
    turn.begin();
    pass(0.03);
    assert.equal(turn.end(), false);
    pass(0.01);
  }
});
