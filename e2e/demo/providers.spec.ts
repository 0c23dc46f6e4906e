import { expectToast } from '../toasts.ts';
import { expect, open, test } from './console.ts';

test('providers are linked and unlinked without leaving the page, and the demo says that it is one', async ({ demo: page }) => {
  await open(page, '/settings');
  await page.getByRole('button', { name: 'Link Google' }).click();
  await expectToast(page, 'Google linked. Demo data: the provider was not contacted.');
  // The button has just appeared under the resting pointer, where a press is ignored.
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name: 'Unlink Google' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink Google' }).click();
  await expectToast(page, 'Google unlinked. Demo data: nothing was sent.');
  await expect(page.getByRole('button', { name: 'Link Google' })).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
});
