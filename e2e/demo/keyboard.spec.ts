import { expect, open, test } from './console.ts';

test('a menu that the keyboard opens leaves the page where it is scrolled to', async ({ touch: page }) => {
  await open(page, '/settings?tab=alerts');
  await page.getByRole('list', { name: 'Alert rules' }).waitFor();
  await page.getByRole('button', { name: 'Actions for Release pipeline' }).focus();
  const before = await page.evaluate('scrollY');
  expect(before).toBeGreaterThan(1000);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  expect(await page.evaluate('scrollY')).toBe(before);
});
