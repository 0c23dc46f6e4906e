import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText, dollarText, exactDollarText, latencyText, percentText, shareText } from './figures.ts';

test('figures read as in the specification: K and M, ms and s, dollars with two decimals', () => {
  assert.deepEqual([0, 7, 999, 1000, 1234, 45_678, 999_499, 999_500, 1_000_000, 12_345_678].map(countText), [
    ...['0', '7', '999', '1K', '1.2K', '45.7K', '999K', '1M', '1M', '12.3M'],
  ]);
  assert.deepEqual([0.4, 12.34, 123.4, 999.4, 999.5, 1000, 12_345].map(latencyText), [
    ...['0.4 ms', '12.3 ms', '123 ms', '999 ms', '1.00 s', '1.00 s', '12.35 s'],
  ]);
  assert.deepEqual([0, 0.01, 1, 12.345, 0.000_12, 1e-9].map(dollarText), ['$0.00', '$0.01', '$1.00', '$12.35', '< $0.01', '< $0.01']);
  assert.deepEqual([0.000_12, 3, 0.1 + 0.2].map(exactDollarText), ['$0.00012', '$3.00', '$0.30']);
  assert.deepEqual([0, 0.051, 1].map(shareText), ['0 %', '5.1 %', '100 %']);
  assert.deepEqual([100, 99.999, 99.95, 99.5].map(percentText), ['100 %', '99.99 %', '99.95 %', '99.5 %'], 'an outage is not rounded away');
  assert.deepEqual(
    [countText, latencyText, shareText, percentText, dollarText].map((each) => each(null)),
    Array(5).fill('–'),
  );
});
