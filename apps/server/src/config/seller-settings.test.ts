import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';

test('who sells and the tax are read exactly, with lines of the address by a bar or a line end', () => {
  const { billing } = readConfig({
    PADDOCK_SELLER_NAME: 'Acme GmbH',
    PADDOCK_SELLER_ADDRESS: 'Street 1 | 10115 Berlin\nGermany',
    PADDOCK_TAX_PERCENT: '8.25',
    PADDOCK_TAX_LABEL: 'Sales tax',
  });
  assert.deepEqual(billing.seller, { name: 'Acme GmbH', address: ['Street 1', '10115 Berlin', 'Germany'], email: '', tax_id: '' });
  assert.deepEqual(billing.tax, { basis_points: 825, label: 'Sales tax' });
  for (const [percent, points] of Object.entries({ '0': 0, '19': 1900, '7.7': 770, '100': 10_000, '0.07': 7 }))
    assert.equal(readConfig({ PADDOCK_TAX_PERCENT: percent }).billing.tax.basis_points, points);
});

test('a wrong setting of invoices ends the start with its name and what it may hold', () => {
  const wrong = {
    PADDOCK_SELLER_NAME: 'two\nlines',
    PADDOCK_SELLER_ADDRESS: '1|2|3|4|5|6|7',
    PADDOCK_SELLER_EMAIL: 'nobody',
    PADDOCK_TAX_PERCENT: '19,5',
    PADDOCK_TAX_LABEL: ' ',
  };
  assert.throws(
    () => readConfig(wrong),
    (error: Error) => Object.keys(wrong).every((name) => error.message.includes(`${name}: must`)),
  );
  for (const percent of ['100.01', '-1', '1.234', '1e1']) assert.throws(() => readConfig({ PADDOCK_TAX_PERCENT: percent }));
});
