import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlots } from './slots.ts';

test('no more slots are taken than there are, and requests are granted in their order, whatever their size', async () => {
  const slots = createSlots(3, new AbortController().signal);
  const order: string[] = [];
  let taken = 0;
  let maxTaken = 0;
  const work = async (name: string, count: number) => {
    const release = await slots.take(count);
    order.push(name);
    taken += count;
    maxTaken = Math.max(maxTaken, taken);
    await new Promise(setImmediate);
    taken -= count;
    release?.();
  };
  await Promise.all([work('one', 1), work('two of three', 2), work('all', 3), work('small', 1), work('last', 2)]);
  assert.deepEqual(order, ['one', 'two of three', 'all', 'small', 'last']);
  assert.equal(maxTaken, 3);
});

test('a request for more slots than there are takes all of them instead of waiting for ever', async () => {
  const slots = createSlots(2, new AbortController().signal);
  const release = await slots.take(9);
  let isGranted = false;
  const second = slots.take(1).then(() => (isGranted = true));
  await new Promise(setImmediate);
  assert.equal(isGranted, false);
  release?.();
  await second;
});

test('an extra slot goes to the first request if it is for one slot, within the limit, and is not granted again when it is given back', async () => {
  const slots = createSlots(1, new AbortController().signal);
  const first = await slots.take(1);
  const granted: string[] = [];
  const wait = (name: string) =>
    slots.take(1).then((release) => {
      granted.push(name);
      return release;
    });
  const [a, b, c] = [wait('a'), wait('b'), wait('c')];
  for (const _ of [1, 2, 3]) slots.grantExtra(2);
  await new Promise(setImmediate);
  assert.deepEqual(granted, ['a', 'b']);
  (await a)?.();
  (await b)?.();
  await new Promise(setImmediate);
  assert.deepEqual(granted, ['a', 'b'], 'two of three ended: the limit is reached without extra slots');
  first?.();
  const release = await c;
  const whole = createSlots(2, new AbortController().signal);
  const held = await whole.take(1);
  let isGranted = false;
  const both = whole.take(2).then(() => (isGranted = true));
  whole.grantExtra(9);
  await new Promise(setImmediate);
  assert.equal(isGranted, false, 'a request for several slots waits for them');
  held?.();
  await both;
  release?.();
});

test('slots that are given back twice count once', async () => {
  const slots = createSlots(1, new AbortController().signal);
  const release = await slots.take(1);
  release?.();
  release?.();
  await slots.take(1);
  let isGranted = false;
  void slots.take(1).then(() => (isGranted = true));
  await new Promise(setImmediate);
  assert.equal(isGranted, false);
});

test('an abort ends the waiting of all requests, and later ones get nothing', async () => {
  const interrupted = new AbortController();
  const slots = createSlots(1, interrupted.signal);
  const release = await slots.take(1);
  const waiting = [slots.take(1), slots.take(1)];
  interrupted.abort();
  assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
  release?.();
  assert.equal(await slots.take(1), undefined);
});
