import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwords } from './passwords.ts';

test('an account that does not exist costs the same work as a wrong password', async () => {
  const { hash, verify } = passwords();
  const stored = await hash('correct horse');
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let turn = 0; turn < 9; turn++) {
    for (const kind of ['known', 'unknown'] as const) {
      const begun = performance.now();
      assert.equal(await verify(kind === 'known' ? stored : undefined, 'wrong horse'), false);
      times[kind].push(performance.now() - begun);
    }
  }
  const middle = (list: number[]) => list.toSorted((a, b) => a - b)[4]!;
  // Without the work it is a thousandth; load on the machine does not make one of two interleaved series four times faster.
  assert.ok(middle(times.unknown) > middle(times.known) / 4, `${middle(times.unknown)} ms, known ${middle(times.known)} ms`);
});

test('no password opens an account that does not exist', async () => {
  assert.equal(await passwords().verify(undefined, 'no account has this password'), false);
});
