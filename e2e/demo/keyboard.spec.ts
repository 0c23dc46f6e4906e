import { expect, open, settled, test } from './console.ts';

test('a menu that the keyboard opens leaves the page where it is scrolled to', async ({ touch: page }) => {
  // Without fading, the item takes the focus as soon as it can.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // With a route set, requests bypass the browser's cache.
  await page.route('**/assets/**', (route) => route.continue());
  // The popup is fetched again each time, since only chance decides whether it is positioned before the focus comes.
  for (let time = 0; time < 4; time += 1) {
    await page.reload();
    await open(page, '/settings?tab=alerts');
    await page.getByRole('list', { name: 'Alert rules' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Release pipeline' }).focus();
    const before = await page.evaluate('scrollY');
    expect(before).toBeGreaterThan(1000);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
    await settled(page);
    expect(await page.evaluate('scrollY')).toBe(before);
  }
});
