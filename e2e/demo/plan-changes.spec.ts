import { expectToast } from '../toasts.ts';
import { billingScreens } from './billing-screens.ts';
import { expect, test } from './console.ts';

test('a change of the plan takes a pending cancellation back, and the dialog says so before', async ({ demo: page }) => {
  await billingScreens.billing?.(page);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(page.getByText(/^Your subscription will be cancelled on/)).toBeVisible();
  await page.getByRole('button', { name: 'Switch to Starter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch to Starter Plan' });
  await expect(dialog.getByText(/set to end on \d{1,2} \w{3} \d{4}\. This change undoes the cancellation/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Confirm Switch' }).click();
  await expectToast(page, 'Successfully switched to Starter plan!');
  await expect(page.getByText(/^Your subscription will be cancelled on/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Cancel Subscription' })).toBeVisible();
});

test('after a declined card the dialog offers another one, which pays', async ({ demo: page }) => {
  await billingScreens['declined upgrade']?.(page);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Visa ending in 0002 was declined. Pay with another one:')).toBeVisible();
  await dialog.getByLabel('Test payment method').selectOption('pm_card_mastercard');
  await page.waitForTimeout(700); // a second press within 600 ms counts as the same one
  await dialog.getByRole('button', { name: 'Confirm Upgrade' }).click();
  await expectToast(page, 'Successfully upgraded to Enterprise plan!');
  await expect(page.getByRole('region', { name: 'Current Subscription', exact: true })).toContainText('Mastercard ending in 4444');
});
