import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedAddresses } from './allowed-addresses.ts';
import { MAX_OPEN, type OpenAddress } from './filter.ts';

const address = (n: number) => `192.0.${n >> 8}.${n & 255}`;

test('an address is open before its name is answered, for a minute at least and an hour at most, and told to the kernel once', async () => {
  const told: OpenAddress[][] = [];
  const opened = allowedAddresses(async (addresses) => void told.push(addresses));
  await Promise.all([opened.add('a.example', ['192.0.2.1'], 5), opened.add('b.example', ['192.0.2.2', '192.0.2.1'], 1e6)]);
  await opened.add('a.example', ['192.0.2.1'], 5);
  assert.deepEqual(
    told
      .flat()
      .map(({ address: one }) => one)
      .toSorted(),
    ['192.0.2.1', '192.0.2.2'],
  );
  assert.ok(told.flat().every(({ seconds }) => seconds >= 60 && seconds <= 3_600));
  assert.deepEqual(
    opened.kept((name) => name === 'b.example').map((one) => one.address),
    ['192.0.2.1', '192.0.2.2'],
  );
  assert.deepEqual(
    opened.kept((name) => name === 'a.example').map((one) => one.address),
    ['192.0.2.1'],
  );
});

test('names that are asked for while the kernel is told share the next time', async () => {
  const told: OpenAddress[][] = [];
  const opened = allowedAddresses(async (addresses) => void told.push(addresses));
  await Promise.all(Array.from({ length: 200 }, (_, n) => opened.add(`n${n}.example`, [address(n)], 60)));
  assert.equal(told.flat().length, 200);
  assert.ok(told.length <= 3, `${told.length} times`);
});

test('a name is not answered when its address could not be opened, or too many are', async () => {
  const failing = allowedAddresses(() => Promise.reject(new Error('no kernel')));
  await assert.rejects(failing.add('a.example', ['192.0.2.1'], 60), /no kernel/);
  assert.deepEqual(
    failing.kept(() => true),
    [],
  );
  const opened = allowedAddresses(async () => undefined);
  await opened.add(
    'many.example',
    Array.from({ length: MAX_OPEN }, (_, n) => address(n)),
    60,
  );
  await assert.rejects(opened.add('one-more.example', ['198.51.100.1'], 60), /addresses are open/);
});
