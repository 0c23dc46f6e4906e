import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fairPlaces } from './fair-places.ts';

/** Takes places for the owner until it is refused. */
function takeAll(places: ReturnType<typeof fairPlaces>, owner: string): (() => void)[] {
  const taken: (() => void)[] = [];
  for (let give = places.take(owner); give && taken.length <= 1_000; give = places.take(owner)) taken.push(give);
  return taken;
}

test('one owner alone gets half of the places, and greedy owners together leave a quarter to owners that have none', () => {
  const places = fairPlaces(16);
  const counts = Array.from({ length: 10 }, (_, n) => takeAll(places, `team ${n}`).length);
  assert.deepEqual(counts, [8, 4, 1, 1, 1, 1, 0, 0, 0, 0]);
});

test('a place that is given back, however often, is one place', () => {
  const places = fairPlaces(4);
  const [first] = takeAll(places, 'a');
  for (let n = 0; n < 5; n++) first!();
  assert.equal(takeAll(places, 'b').length + takeAll(places, 'c').length + takeAll(places, 'd').length, 3);
});

test('an owner whose places were all given back is an owner without a place', () => {
  const places = fairPlaces(4);
  for (const give of takeAll(places, 'a')) give();
  for (const owner of ['b', 'c', 'd']) assert.ok(places.take(owner));
  assert.ok(places.take('a'));
  assert.equal(places.take('e'), undefined);
});
