import { expectToast } from '../toasts.ts';
import { apiOf } from './api.ts';
import { expect, expectAccessible, expectNoSideScroll, signedIn } from './console.ts';

signedIn(
  'a person selects a plan, switches, is declined, confirms, cancels and undoes it, and the server agrees',
  async ({ page, person }) => {
    const state = () => apiOf(person.token).billing.subscription({});
    const label = page.locator('header.sticky').getByText(/^Plan: \w/);
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: /^Confirm (Upgrade|Switch)$/ });
    const choose = (name: RegExp) => page.getByRole('list', { name: 'Plans' }).getByRole('button', { name }).click();
    const useMethod = async (id: string) => {
      await page.goto('/settings?tab=billing');
      await page.getByLabel('Test payment method').selectOption(id);
      await page.getByRole('button', { name: 'Save payment method' }).click();
      await expectToast(page, 'Payment method saved');
      await page.getByRole('link', { name: 'Go to Billing' }).click();
    };

    await page.goto('/billing');
    await expect(label).toHaveText('Plan: Free');
    await expect(page.getByText('Test mode: no money moves')).toBeVisible();
    await choose(/Select Starter/);
    await expect(dialog.getByText('$29.00').first()).toBeVisible();
    await dialog.getByLabel('Test payment method').selectOption('pm_card_visa');
    await confirm.dblclick();
    await expectToast(page, 'Successfully upgraded to Starter plan!');
    expect((await state()).subscription).toMatchObject({ plan: 'starter', status: 'active', cancel_at_period_end: false });
    await expect(page.getByRole('list', { name: 'Notices' }).getByRole('listitem').first()).toBeVisible();
    await expectAccessible(page);
    await expectNoSideScroll(page);

    await choose(/Switch to Pro/);
    await expect(dialog.getByText('Unused time on Starter')).toBeVisible();
    await confirm.click();
    await expectToast(page, 'Successfully upgraded to Pro plan!');
    await expect(label).toHaveText('Plan: Pro');
    await page.reload();
    await expect(label).toHaveText('Plan: Pro');

    await useMethod('pm_card_chargeDeclinedInsufficientFunds');
    await choose(/Switch to Enterprise/);
    await confirm.click();
    await expect(page.getByText('Failed to upgrade plan. Please try again.')).toBeVisible();
    await expect(dialog.getByRole('alert')).toContainText('insufficient funds');
    expect((await state()).subscription?.plan).toBe('pro');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await useMethod('pm_card_authenticationRequired');
    await choose(/Switch to Enterprise/);
    await confirm.click();
    const banner = page.getByRole('region', { name: 'Payment', exact: true });
    await expect(banner.getByText('A payment needs your confirmation.')).toBeInViewport();
    expect((await state()).payment).toMatchObject({ state: 'needs_confirmation', purpose: 'switch', plan: 'enterprise' });
    await banner.getByRole('button', { name: 'Confirm payment' }).click();
    await expect(label).toHaveText('Plan: Enterprise');
    await expect(banner).toHaveCount(0);

    await choose(/Switch to Starter/);
    await expect(dialog.getByText('Nothing is charged')).toBeVisible();
    await confirm.click();
    await expectToast(page, 'Successfully switched to Starter plan!');
    await expect(label).toHaveText('Plan: Starter');
    expect((await state()).credit).toBeGreaterThan(0);

    page.once('dialog', (asked) => void asked.accept());
    await page.getByRole('button', { name: 'Cancel Subscription' }).click();
    await expect(page.getByText(/^Your subscription will be cancelled on /)).toBeVisible();
    expect((await state()).subscription?.cancel_at_period_end).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Cancel Subscription' })).toBeVisible();
    expect((await state()).subscription?.cancel_at_period_end).toBe(false);
  },
);
