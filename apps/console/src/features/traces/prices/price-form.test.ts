import { exactDollarText } from '@paddock/contract/figures';
import { expect, test } from 'vitest';
import { checkPrice, toPriceTexts } from './price-form.ts';

const texts = { model: ' my-model ', input_usd: '0.25', cached_input_usd: '', cache_write_usd: '', output_usd: '2' };

test('a price is what was typed, and the cache costs what the input does unless it was told', () => {
  expect(checkPrice(texts, []).price).toEqual({
    model: 'my-model',
    input_usd: 0.25,
    cached_input_usd: null,
    cache_write_usd: null,
    output_usd: 2,
  });
  expect(checkPrice({ ...texts, cached_input_usd: '0', cache_write_usd: '0,3', output_usd: '.5' }, []).price).toMatchObject({
    cached_input_usd: 0,
    cache_write_usd: 0.3,
    output_usd: 0.5,
  });
});

test('what is wrong is told for each field', () => {
  const problems = (change: Partial<typeof texts>, taken: string[] = []) => checkPrice({ ...texts, ...change }, taken).problems;
  expect(problems({ model: ' ' })).toEqual({ model: 'Enter the name of the model as shown in traces' });
  expect(problems({ model: 'x'.repeat(129) })?.model).toBe('Enter at most 128 characters');
  expect(problems({}, ['My-Model'])?.model).toMatch(/^You already have a price/);
  for (const wrong of ['free', '-1', '1e3', '.', '1.2.3', '$3', 'NaN'])
    expect([wrong, problems({ input_usd: wrong })]).toEqual([wrong, { input_usd: 'Enter an amount in US dollars, such as 0.25' }]);
  expect(problems({ input_usd: '', output_usd: '100001' })).toEqual({
    input_usd: 'Enter an amount; 0 if it costs nothing',
    output_usd: 'Enter at most 100,000',
  });
});

test('a price that is edited and saved unchanged stays what it is', () => {
  const price = { model: 'm', input_usd: 0.000_001, cached_input_usd: 0.1, cache_write_usd: null, output_usd: 15 };
  expect(checkPrice(toPriceTexts(price), []).price).toEqual(price);
  expect([0.25, 15, 0.000_001, 1234.5].map(exactDollarText)).toEqual(['$0.25', '$15.00', '$0.000001', '$1,234.50']);
});
