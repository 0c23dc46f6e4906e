import type { Page } from '@playwright/test';
import { type Action, inDialog } from './actions.ts';
import { freePlan, json } from './scripted.ts';

const budgets = { budgets: [{ project_id: null, project_name: null, amount: 25, spent: 10 }] };
const none = { compute_hours: 0, bandwidth_gb: 0, database_storage_gb: 0, cost: 0 };
/** A month without usage. */
export const emptyUsage = {
  usage: [
    {
      month: '2026-11',
      ...none,
      ...{ core_hours: 0, compute_cost: 0, bandwidth_cost: 0, database_storage_cost: 0 },
      ...{ base_plan_cost: 0, projected: null, corrections: [], closed_at: null, by_project: [], by_day: [] },
    },
  ],
  metered_at: null,
  next_cursor: null,
};

/** A team that has the Pro plan, and pays for it. */
export const active = {
  ...freePlan,
  subscription: {
    id: 'sub_1',
    plan: 'pro',
    status: 'active',
    current_period_start: '2026-11-12T10:00:00.000Z',
    current_period_end: '2026-12-12T10:00:00.000Z',
    cancel_at_period_end: false,
    payment_method_id: 'pm_card_visa',
  },
  current_period_start: '2026-11-12T10:00:00.000Z',
  current_period_end: '2026-12-12T10:00:00.000Z',
  payment_method: { id: 'pm_card_visa', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2030 },
};
/** The price of a first plan with tax. */
export const quote = {
  plan: 'pro',
  kind: 'select',
  undoes_cancellation: false,
  lines: [{ text: 'Pro plan', amount: 99 }],
  credit_used: 0,
  tax: 18.81,
  tax_percent: 19,
  due_now: 117.81,
  credited: 0,
  next_amount: 99,
  next_at: '2026-12-23T10:00:00.000Z',
};

/** Opens the page with another state of the subscription than the free plan. */
async function withState(page: Page, state: object) {
  await page.route('**/api/v1/billing/subscription', (route) =>
    route.request().method() === 'GET' ? json(state)(route) : route.fallback(),
  );
  await page.reload();
}
const toConfirm = {
  ...active,
  payment: { state: 'needs_confirmation', purpose: 'switch', plan: 'pro', amount: 99, reason: null, next_try_at: null, ends_at: null },
};

/** Button presses that change budgets, plans and payments. */
export const billingActions: Record<string, Action> = {
  'save budget': {
    path: '/billing?tab=usage',
    async ready(page) {
      await page.getByLabel('Dollars per month').fill('30');
      return page.getByRole('button', { name: 'Save budget' });
    },
    answer: budgets,
  },
  'remove budget': {
    path: '/billing?tab=usage',
    ready: async (page) => page.getByRole('button', { name: 'Remove budget for The whole team' }),
    answer: budgets,
  },
  'confirm upgrade': {
    path: '/billing',
    async ready(page) {
      await page.getByRole('button', { name: 'Select Pro' }).click();
      await page.getByLabel('Test payment method').selectOption('pm_card_visa');
      return inDialog(page, 'Confirm Upgrade');
    },
    answer: active,
  },
  'cancel subscription': {
    path: '/billing',
    async ready(page) {
      page.on('dialog', (asked) => void asked.accept());
      await withState(page, active);
      return page.getByRole('button', { name: 'Cancel Subscription' });
    },
    answer: active,
  },
  'undo the cancellation': {
    path: '/billing',
    async ready(page) {
      await withState(page, { ...active, subscription: { ...active.subscription, cancel_at_period_end: true } });
      return page.getByRole('button', { name: 'Undo' });
    },
    answer: active,
  },
  'dismiss a notice': {
    path: '/billing',
    async ready(page) {
      const notice = { id: 'bln_1', kind: 'renewed', at: '2026-11-20T10:00:00.000Z', text: 'Paid.', is_problem: false };
      await withState(page, { ...active, notices: [notice] });
      return page.getByRole('button', { name: 'Dismiss this notice' });
    },
    answer: null,
  },
  'confirm payment': {
    path: '/billing',
    async ready(page) {
      await withState(page, toConfirm);
      return page.getByRole('button', { name: 'Confirm payment' });
    },
    answer: { ...toConfirm, url: null },
  },
  'refuse payment': {
    path: '/billing',
    async ready(page) {
      await withState(page, toConfirm);
      return page.getByRole('button', { name: 'Decline payment' });
    },
    answer: { ...toConfirm, url: null },
  },
  'give a first payment up': {
    path: '/billing',
    async ready(page) {
      await withState(page, { ...toConfirm, subscription: null, payment: { ...toConfirm.payment, purpose: 'first' }, provider: 'stripe' });
      return page.getByRole('button', { name: 'Cancel payment' });
    },
    answer: freePlan,
  },
  'cancel subscription in the settings': {
    path: '/settings?tab=billing',
    async ready(page) {
      await withState(page, active);
      await page.getByRole('button', { name: 'Cancel Subscription' }).click();
      return inDialog(page, 'Cancel Subscription');
    },
    answer: active,
  },
  'save payment method': {
    path: '/settings?tab=billing',
    async ready(page) {
      await page.getByLabel('Test payment method').selectOption('pm_card_visa');
      return page.getByRole('button', { name: 'Save payment method' });
    },
    answer: active,
  },
  'add a card': {
    path: '/settings?tab=billing',
    async ready(page) {
      await withState(page, { ...freePlan, provider: 'stripe' });
      return page.getByRole('button', { name: 'Add a card' });
    },
    answer: { url: '#the-page-of-stripe' },
  },
};

export const billingLists = {
  'GET /billing/usage': json(emptyUsage),
  'GET /billing/budgets': json(budgets),
  'GET /billing/quote': json(quote),
};
