import { type Action, dialog, inDialog } from './actions.ts';
import { json } from './scripted.ts';

const price = { model: 'acme', input_usd: 1, cached_input_usd: null, cache_write_usd: null, output_usd: 2, is_default: false };
const prices = { model_prices: [price], defaults_from: '2026-11-01' };
const path = '/settings?tab=model-prices';

/** Button presses that change model prices. */
export const priceActions: Record<string, Action> = {
  'save model price': {
    path: `${path}&action=new`,
    async ready(page) {
      await dialog(page).getByLabel('Model').fill('another');
      await dialog(page).getByLabel('Input', { exact: true }).fill('1');
      await dialog(page).getByLabel('Output').fill('2');
      return inDialog(page, 'Save price');
    },
    answer: prices,
  },
  'remove model price': {
    path,
    async ready(page) {
      await page.getByRole('button', { name: 'Remove your price of acme' }).click();
      return inDialog(page, 'Remove price');
    },
    answer: prices,
  },
};

export const priceLists = { 'GET /metrics/model-prices': json(prices) };
