import { expect, test } from './console.ts';

test('an alert is snoozed and woken by keys alone; while it is snoozed the bell does not count it and it says until when', async ({
  demo: page,
}) => {
  await page.getByRole('button', { name: 'Alerts, 4 open' }).press('Enter');
  const alert = page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem').filter({ hasText: '84 %' });
  const menu = alert.getByRole('button', { name: /^Snooze: PostgreSQL/ });
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: '1 hour' }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: '1 week' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(alert.getByText(/^Snoozed until \d+ \w{3} \d{4}, \d\d:\d\d$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Alerts, 3 open', includeHidden: true })).toHaveCount(1);
  await expect(menu).toBeFocused();
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'End snooze' }).press('Enter');
  await expect(alert.getByText(/^Snoozed until/)).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Alerts, 4 open' })).toBeFocused();
});
