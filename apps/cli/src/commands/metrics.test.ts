import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparkline } from './metrics.ts';

const points = (...values: (number | null)[]) => values.map((value, at) => ({ timestamp: new Date(at * 1000).toISOString(), value }));

test('a line of bars shows the most of each stretch, the highest full, and gaps as blanks', () => {
  assert.equal(sparkline(points(0, 1, null, 7)), '▁▂ █');
  assert.equal(sparkline(points(0, 0)), '▁▁');
  assert.equal(sparkline(points(null, null)), '  ');
  const hour = Array.from({ length: 60 }, (_, at) => (at === 31 ? 5 : null));
  assert.equal(sparkline(points(...hour)), `${' '.repeat(10)}█${' '.repeat(9)}`);
  assert.equal(sparkline([]), '');
});
