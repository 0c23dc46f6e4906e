import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf as bucketOfGateway } from '../../../../test/metrics-rows.ts';
import { boundsSeconds, findBucket } from './buckets.ts';
import { cached } from './cached.ts';
import { textOf } from './text.ts';

test('no value of a label can end its quotes or its line', () => {
  const text = textOf([
    { name: 'a_total', type: 'counter', help: 'One\nline \\ of help.', samples: [{ labels: { x: 'q"u\\o\nte', y: '' }, value: 1 }] },
    { name: 'b', type: 'gauge', help: 'None.', samples: [{ labels: {}, value: Infinity }] },
  ]);
  assert.equal(
    text,
    [
      '# HELP a_total One\\nline \\\\ of help.\n# TYPE a_total counter\na_total{x="q\\"u\\\\o\\nte",y=""} 1\n',
      '# HELP b None.\n# TYPE b gauge\nb +Inf\n',
    ].join(''),
  );
});

test('a time is in the same bucket here and in the gateway', () => {
  for (const us of [0, 1, 63, 64, 127, 128, 5000, 99_999, 4_000_000_000, ...boundsSeconds.map((seconds) => seconds * 1_000_000)])
    assert.equal(findBucket(us), bucketOfGateway(us), `${us}`);
});

test('several that ask within five seconds cost one answer, and a failure is not kept', async () => {
  let [made, at] = [0, 0];
  let isBroken = true;
  const answer = cached(
    async () => {
      made += 1;
      if (isBroken) throw new Error('away');
      return made;
    },
    5000,
    () => at,
  );
  await assert.rejects(answer(), /away/);
  isBroken = false;
  assert.deepEqual(await Promise.all([answer(), answer(), answer()]), [2, 2, 2]);
  at = 4999;
  assert.equal(await answer(), 2);
  at = 5000;
  assert.equal(await answer(), 3);
});
