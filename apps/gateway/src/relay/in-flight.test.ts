import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../limits.ts';
import { inFlightCounts } from './in-flight.ts';

const small = { ...limits, inFlightPerDeployment: 3, inFlightPerVisitor: 2, webSocketsPerDeployment: 2, webSocketsPerVisitor: 1 };
const request = false;
const webSocket = true;

test('a deployment and each visitor of it have so many requests at a time, and no more', () => {
  const counts = inFlightCounts(small);
  assert.deepEqual(
    ['one', 'one', 'one', 'two', 'two'].map((network) => counts.enter('dep', network, request)),
    [true, true, false, true, false],
  );
  assert.equal(counts.enter('other', 'one', request), true);
});

test('a request that was refused does not count, and one that is over counts no more', () => {
  const counts = inFlightCounts(small);
  for (let round = 0; round < 5; round++) {
    assert.equal(counts.enter('dep', 'one', request), true);
    assert.equal(counts.enter('dep', 'one', request), true);
    for (let refused = 0; refused < 5; refused++) assert.equal(counts.enter('dep', 'one', request), false);
    counts.leave('dep', 'one', request);
    assert.equal(counts.enter('dep', 'one', request), true);
    assert.equal(counts.enter('dep', 'two', request), true);
    assert.equal(counts.enter('dep', 'two', request), false);
    counts.leave('dep', 'one', request);
    counts.leave('dep', 'one', request);
    counts.leave('dep', 'two', request);
  }
});

test('WebSockets and requests are counted apart', () => {
  const counts = inFlightCounts(small);
  assert.equal(counts.enter('dep', 'one', webSocket), true);
  assert.equal(counts.enter('dep', 'one', webSocket), false);
  assert.equal(counts.enter('dep', 'two', webSocket), true);
  assert.equal(counts.enter('dep', 'three', webSocket), false);
  for (const network of ['one', 'one', 'two']) assert.equal(counts.enter('dep', network, request), true);
  counts.leave('dep', 'one', request);
  assert.equal(counts.enter('dep', 'one', webSocket), false);
  counts.leave('dep', 'one', webSocket);
  assert.equal(counts.enter('dep', 'one', webSocket), true);
});

test('a leave that nobody entered changes nothing', () => {
  const counts = inFlightCounts(small);
  counts.leave('dep', 'one', request);
  for (const expected of [true, true, false]) assert.equal(counts.enter('dep', 'one', request), expected);
});
