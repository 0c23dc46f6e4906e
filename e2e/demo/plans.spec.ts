import { plans } from '@paddock/contract/plans';
import type { Page, Route } from '@playwright/test';
import { expectToast } from '../toasts.ts';
import { active, billingLists, quote } from './billing-actions.ts';
import { billingScreens } from './billing-screens.ts';
import { expect, test } from './console.ts';
import { freePlan, json, problem, signedIn } from './scripted.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Expects the plan in the header. */
const expectPlan = (page: Page, plan: string) => expect(page.locator('header.sticky').getByText(/^Plan: \w/)).toHaveText(`Plan: ${plan}`);
const card = (page: Page, name: string) => page.getByRole('list', { name: 'Plans' }).getByRole('listitem', { name, exact: true });
/** The amounts beside the names in a list of facts. */
async function amounts(page: Page, name: string) {
  const texts = await region(page, name).or(page.getByRole('dialog').getByRole('region', { name })).locator('dd').allTextContents();
  for (const text of texts) expect(text).toMatch(/^-?\$[\d,]+\.\d\d$/);
  return texts.map((text) => Number(text.replace(/[$,]/g, '')));
}
const payment = { state: 'running', purpose: 'renewal', plan: 'pro', amount: 99, reason: null, next_try_at: null, ends_at: null };
test('plans are told with prices, features and the one in force, in the words of the product', async ({ demo: page }) => {
  await billingScreens.billing?.(page);
  const head = page.locator('header').filter({ has: page.getByRole('heading', { level: 1, name: 'Billing' }) });
  await expect(head).toContainText('Pro plan');
  await expect(head.getByText('Active', { exact: true })).toBeVisible();
  await expect(head.getByText('Test mode: no money moves')).toBeVisible();
  await expectPlan(page, 'Pro');
  const current = region(page, 'Current Subscription');
  await expect(current.locator('dt')).toHaveText(['Plan', 'Monthly price', 'Next billing date', 'Payment method']);
  await expect(current.locator('dd')).toHaveText(['Pro', '$99.00', /^\d{1,2} \w{3} \d{4}$/, 'Visa ending in 4242']);
  for (const [price, button, { name, features }] of [
    ['$29.00', 'Switch to Starter', plans.starter],
    ['$99.00', 'Current Plan', plans.pro],
    ['$299.00', 'Switch to Enterprise', plans.enterprise],
  ] as const) {
    await expect(card(page, name).getByText(price, { exact: true })).toBeVisible();
    await expect(card(page, name).getByText('per month')).toBeVisible();
    await expect(card(page, name).getByRole('listitem')).toHaveText([...features]);
    await expect(card(page, name).getByRole('button', { name: button })).toBeEnabled({ enabled: button !== 'Current Plan' });
  }
  await current.getByRole('link', { name: 'Update Payment Method' }).click();
  await page.waitForURL('**/settings?tab=billing');
});

test('a larger plan is confirmed with its difference, and is in force at once, in the header too', async ({ demo: page }) => {
  await billingScreens['upgrade plan']?.(page);
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Enterprise Plan' });
  await expect(dialog.locator('dl').first().locator('div')).toHaveText(['New planEnterprise', 'Monthly cost$299.00']);
  await expect(dialog.getByRole('listitem')).toHaveText([
    'Unlimited projects',
    'Unlimited bandwidth',
    'Unlimited storage',
    'Dedicated support',
  ]);
  await expect(dialog.getByText('+4 more features')).toBeVisible();
  await expect(dialog.getByText('Your card will be charged immediately, and the plan takes effect right away.')).toBeVisible();
  await expect(dialog.getByText('Paid with Visa ending in 4242.')).toBeVisible();
  const [unused = 0, remaining = 0, due = 0] = await amounts(page, 'Due now');
  expect(unused + remaining).toBeCloseTo(due, 2);
  expect(due).toBeLessThan(200);
  await dialog.getByRole('button', { name: 'Confirm Upgrade' }).click();
  await expectToast(page, 'Successfully upgraded to Enterprise plan!');
  await expect(dialog).toHaveCount(0);
  await expectPlan(page, 'Enterprise');
  await expect(card(page, 'Enterprise').getByRole('button', { name: 'Current Plan' })).toBeDisabled();
  await expect(page.getByRole('list', { name: 'Notices' })).toContainText(`Your Enterprise plan is active. $${due.toFixed(2)} were paid.`);
  await page.getByRole('button', { name: 'Dismiss this notice' }).first().click();
  await expect(page.getByText('Your Enterprise plan is active.')).toHaveCount(0);
});

test('a smaller plan charges nothing: it says what is credited, and keeps it', async ({ demo: page }) => {
  await billingScreens['smaller plan']?.(page);
  const dialog = page.getByRole('dialog', { name: 'Switch to Starter Plan' });
  const [unused = 0, remaining = 0, credited = 0] = await amounts(page, 'Due now');
  expect(unused + remaining).toBeCloseTo(-credited, 2);
  await expect(dialog.getByText('Nothing is charged')).toBeVisible();
  await expect(dialog.getByText('+1 more feature', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Confirm Switch' }).click();
  await expectToast(page, 'Successfully switched to Starter plan!');
  await expect(region(page, 'Current Subscription')).toContainText(`Credit for your next invoices$${credited.toFixed(2)}`);
});

test('a cancellation is asked for by the browser, stands until the period ends, and can be undone', async ({ demo: page }) => {
  await billingScreens.billing?.(page);
  const cancel = page.getByRole('button', { name: 'Cancel Subscription' });
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await cancel.click();
  expect(asked).toEqual([
    'Are you sure you want to cancel your subscription? You will lose access at the end of the current billing period.',
  ]);
  await expect(cancel).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.waitForTimeout(700); // a second press within 600 ms counts as the same one
  await cancel.click();
  await expect(page.getByText('Subscription cancelled. You will retain access until the end of your billing period.')).toBeVisible();
  await expect(cancel).toHaveCount(0);
  await expect(page.getByText(/^Your subscription will be cancelled on \d{1,2} \w{3} \d{4}\./)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cancel).toBeVisible();
});

test('a declined card keeps the plan and the dialog, which says why', async ({ demo: page }) => {
  await billingScreens['declined upgrade']?.(page);
  await expect(page.getByText('Failed to upgrade plan. Please try again.')).toBeVisible();
  await expect(page.getByRole('dialog').getByText('You were not charged, and your plan is unchanged.')).toBeVisible();
  await expectPlan(page, 'Pro');
});

test('a payment that waits for its person is refused or confirmed at the top of any page', async ({ demo: page }) => {
  await billingScreens['payment to confirm']?.(page);
  const banner = region(page, 'Payment');
  await expect(banner.getByText('A payment needs your confirmation.')).toBeInViewport();
  await expectPlan(page, 'Pro');
  await banner.getByRole('button', { name: 'Decline payment' }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Notices' })).toContainText('The payment was declined: You refused the payment.');
  await billingScreens['upgrade plan']?.(page);
  await page.getByRole('button', { name: 'Confirm Upgrade' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await banner.getByRole('button', { name: 'Confirm payment' }).click();
  await expectPlan(page, 'Enterprise');
  await expect(banner).toHaveCount(0);
});

test('the settings tell the plan, its period and the usage, and every button there does something', async ({ demo: page }) => {
  await billingScreens['billing settings']?.(page);
  const current = region(page, 'Current Plan');
  await expect(current.getByText('Pro', { exact: true })).toBeVisible();
  await expect(current.locator('dt')).toHaveText(['Status', 'Current period starts', 'Current period ends']);
  await expect(current.locator('dd').first()).toHaveText('Active');
  const usage = region(page, 'Current Usage');
  await expect(usage.locator('dt')).toHaveText(['Compute hours', 'Bandwidth', 'Storage']);
  await expect(usage.locator('dd')).toHaveText([/^[\d,]+\.\d\d hours$/, /^[\d,]+\.\d\d GB$/, /^[\d,]+\.\d\d GB$/]);
  await page.getByRole('button', { name: 'Upgrade to Enterprise' }).click();
  await page.getByRole('button', { name: 'Confirm Upgrade' }).click();
  await expect(current.getByText('Enterprise', { exact: true })).toBeVisible();

  await current.getByRole('button', { name: 'Cancel Subscription' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Subscription' }).click();
  await expectToast(page, 'Subscription cancelled successfully');
  await expect(current.getByRole('button', { name: 'Cancel Subscription' })).toHaveCount(0);
  await current.getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'The subscription continues');
  await expect(current.getByRole('button', { name: 'Cancel Subscription' })).toBeVisible();
  await current.getByRole('link', { name: 'Change Plan' }).click();
  await page.waitForURL('**/billing');
  await page.goBack();
  await page.getByRole('link', { name: 'Go to Billing' }).click();
  await page.waitForURL('**/billing');
});

test('on the free plan a plan is selected with a method of the test provider, once, and never with a card number', async ({
  page,
  site,
}) => {
  let state: object = freePlan;
  const sent: unknown[] = [];
  await signedIn(
    page,
    { address: `${site.url}/settings?tab=billing` },
    {
      ...billingLists,
      'GET /billing/subscription': (route) => json(state)(route),
      'GET /billing/quote': json(quote),
      'POST /billing/subscription': async (route: Route) => {
        sent.push(route.request().postDataJSON());
        if (sent.length === 1) return problem(402, 'payment_declined', 'Your card has insufficient funds.')(route);
        state = active;
        return json(state, 201)(route);
      },
    },
  );
  await expect(page.getByText('You’re on the free plan')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upgrade to Starter' })).toBeVisible();
  await page.getByRole('link', { name: 'Upgrade Now' }).click();
  await expectPlan(page, 'Free');
  await expect(page.getByText('You’re on the free plan: 1 project, 10 GB bandwidth, 1 GB storage.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Select Starter' })).toBeVisible();
  await page.getByRole('button', { name: 'Select Pro' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Pro Plan' });
  await expect(dialog.getByRole('region', { name: 'Due now' }).locator('div')).toHaveText([
    'Pro plan$99.00',
    'Tax, 19 %$18.81',
    'Due now$117.81',
  ]);
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
  const confirm = dialog.getByRole('button', { name: 'Confirm Upgrade' });
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel('Test payment method').selectOption('pm_card_chargeDeclinedInsufficientFunds');
  await confirm.click();
  await expect(dialog.getByText('Your card has insufficient funds.', { exact: true })).toBeVisible();
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel('Test payment method').selectOption('pm_card_visa');
  await confirm.dblclick();
  await expectToast(page, 'Successfully upgraded to Pro plan!');
  await expectPlan(page, 'Pro');
  expect(sent).toEqual([
    { plan: 'pro', payment_method_id: 'pm_card_chargeDeclinedInsufficientFunds' },
    { plan: 'pro', payment_method_id: 'pm_card_visa' },
  ]);
});

test('with Stripe a card is entered on its page, and nowhere else', async ({ page, site }) => {
  const url = `${site.url}/settings?tab=billing&payment_method=saved`;
  const stripe = { ...active, provider: 'stripe', is_test: false, payment_method: null };
  await signedIn(
    page,
    { address: `${site.url}/settings?tab=billing` },
    { ...billingLists, 'GET /billing/subscription': json(stripe), 'POST /billing/payment-method/page': json({ url }) },
  );
  await expect(page.getByText('No payment method is saved.')).toBeVisible();
  await expect(region(page, 'Payment Method').locator('input, select, textarea')).toHaveCount(0);
  await expect(page.getByText('Test mode')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add a card' }).click();
  await page.waitForURL(url);
  await expect(page.getByText('Your card is saved.')).toBeVisible();
});

test('a renewal that was declined is told on every page, with what happens when and what to do', async ({ page, site }) => {
  const declined = {
    ...payment,
    state: 'declined',
    reason: 'Your card has expired.',
    next_try_at: '2026-11-24T10:00:00.000Z',
    ends_at: '2026-11-30T10:00:00.000Z',
  };
  const pastDue = { ...active, subscription: { ...active.subscription, status: 'past_due' }, payment: declined };
  await signedIn(page, { address: `${site.url}/projects` }, { ...billingLists, 'GET /billing/subscription': json(pastDue) });
  await expect(region(page, 'Payment')).toHaveText(
    'A payment was declined. $99.00 for the Pro plan. Your card has expired. It will be retried on 24 Nov 2026, or immediately if you change the ' +
      'payment method. If it is not paid by 30 Nov 2026, the plan ends.Update Payment Method',
  );
  await page.getByRole('link', { name: 'Billing', exact: true }).click();
  await expect(region(page, 'Current Subscription').getByText('Past due')).toBeVisible();
  const asked = page.waitForEvent('dialog');
  const pressed = page.getByRole('button', { name: 'Cancel Subscription' }).click();
  const dialog = await asked;
  expect(dialog.message()).toContain('is unpaid, so you will lose access immediately.');
  await dialog.dismiss();
  await pressed;
});

test('usage that is owed says so, and a payment under way is asked for until it is done', async ({ page, site }) => {
  const owed = { ...payment, state: 'unpaid', purpose: 'usage', plan: null, amount: 1234.5, reason: 'Your card was declined.' };
  let state: object = { ...freePlan, payment: owed };
  await signedIn(page, { address: `${site.url}/billing` }, { ...billingLists, 'GET /billing/subscription': (route) => json(state)(route) });
  const banner = region(page, 'Payment');
  await expect(banner).toContainText(
    'Usage is unpaid. $1,234.50 for usage of your last subscription. Your card was declined. You cannot select a plan',
  );
  state = { ...freePlan, payment: { ...payment, purpose: 'first' } };
  await page.reload();
  await expect(banner).toContainText('A payment is being processed. $99.00 for the Pro plan.');
  state = active;
  await expect(banner).toHaveCount(0);
  await expectPlan(page, 'Pro');
});

test('what cannot be loaded, cancelled or confirmed says so, and nothing is lost', async ({ page, site }) => {
  let works = false;
  const refuse = problem(500, 'internal', 'Something went wrong on the server.');
  await signedIn(
    page,
    { address: `${site.url}/billing`, change: refuse },
    { ...billingLists, 'GET /billing/subscription': (route) => (works ? json(active)(route) : refuse(route)) },
  );
  await expect(page.getByText('Something went wrong on the server.')).toBeVisible();
  works = true;
  await page.getByRole('button', { name: 'Retry' }).click();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(page.getByText('Failed to cancel subscription. Please try again.')).toBeVisible();
  await expect(region(page, 'Current Subscription').getByText('Something went wrong on the server.')).toBeVisible();
  await page.goto(`${site.url}/settings?tab=billing`);
  await page.getByRole('button', { name: 'Cancel Subscription' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(page.getByRole('alertdialog').getByText('Something went wrong on the server.')).toBeVisible();
});
