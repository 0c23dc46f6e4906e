import type { Locator } from '@playwright/test';
import { expect, open, test } from './console.ts';
import { pressTwice } from './double-press.ts';

/** The visible box of the button, once content loaded above it no longer moves it. */
async function restingBox(button: Locator) {
  let last = '';
  let box = { x: 0, y: 0, width: 0, height: 0 };
  await expect
    .poll(async () => {
      await button.scrollIntoViewIfNeeded();
      box = (await button.boundingBox()) ?? box;
      const isResting = last === JSON.stringify(box);
      last = JSON.stringify(box);
      return isResting;
    })
    .toBe(true);
  return box;
}

/** Puts a button below the pointer, as a growing list or a new banner would. The button counts its presses. */
const moveIn = (x: number, y: number) => `(() => {
  const button = document.createElement('button');
  button.id = 'moved-in';
  button.textContent = 'Moved in';
  button.style.cssText = 'position: fixed; z-index: 999; width: 80px; height: 40px; left: ${x - 40}px; top: ${y - 20}px';
  button.onclick = () => (button.dataset.presses = String(Number(button.dataset.presses ?? 0) + 1));
  document.body.append(button);
})()`;

/** Time for which presses on a control that has just appeared under the resting pointer are ignored, with a margin for two processes' clocks. */
const freshMs = 380;
/** A machine on which this many presses in a row take longer cannot run the test. */
const triesMost = 20;

test('what the page moves under the resting pointer is not pressed at once, and is a moment later', async ({ demo: page }) => {
  await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
  await page.mouse.move(600, 500);
  const press = async () => {
    await page.mouse.down();
    await page.mouse.up();
    return page.evaluate<string | undefined>("document.querySelector('#moved-in').dataset.presses");
  };
  let wasFast = false;
  for (let tries = 0; tries < triesMost && !wasFast; tries += 1) {
    await page.evaluate("document.querySelector('#moved-in')?.remove()");
    const began = Date.now();
    await page.evaluate(moveIn(600, 500));
    await page.evaluate('new Promise(requestAnimationFrame)');
    const pressed = await press();
    wasFast = Date.now() - began < freshMs;
    if (wasFast) expect(pressed).toBeUndefined();
  }
  expect(wasFast, 'No press was fast enough to tell.').toBe(true);
  await expect.poll(press).not.toBeUndefined();
});

test('who goes to a button that has just appeared may press it at once', async ({ demo: page }) => {
  await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
  await page.mouse.move(100, 400);
  await page.evaluate(moveIn(600, 500));
  await page.locator('#moved-in').click();
  await expect(page.locator('#moved-in')).toHaveAttribute('data-presses', '1');
});

test('a tap where a finger was a while ago is a tap, however fresh what it hits', async ({ touch: page }) => {
  await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
  await page.touchscreen.tap(120, 20);
  await page.waitForTimeout(600);
  await page.evaluate(moveIn(120, 20));
  await page.evaluate('new Promise(requestAnimationFrame)');
  await page.touchscreen.tap(120, 20);
  await expect.poll(() => page.evaluate<string | undefined>("document.querySelector('#moved-in').dataset.presses")).toBe('1');
});

test('quick taps on two buttons beside each other are a press of each', async ({ touch: page }) => {
  await open(page, '/deployments');
  await page.getByRole('button', { name: 'Deploy agent' }).first().waitFor();
  await page.evaluate(moveIn(100, 300));
  await page.evaluate("document.querySelector('#moved-in').id = 'first'");
  await page.evaluate(moveIn(160, 300));
  await page.touchscreen.tap(100, 300);
  await page.touchscreen.tap(160, 300);
  await expect(page.locator('#moved-in')).toHaveAttribute('data-presses', '1');
});

test('a tap elsewhere is a tap although something has just moved to where the finger was', async ({ touch: page }) => {
  await open(page, '/deployments');
  await page.getByRole('button', { name: 'Deploy agent' }).first().waitFor();
  await page.evaluate(moveIn(260, 300));
  await page.evaluate("document.querySelector('#moved-in').id = 'other'");
  await page.touchscreen.tap(100, 20);
  await page.evaluate(moveIn(100, 20));
  await page.evaluate('new Promise(requestAnimationFrame)');
  await page.touchscreen.tap(260, 300);
  await expect(page.locator('#other')).toHaveAttribute('data-presses', '1');
});

test('what Escape uncovers below the resting pointer may be pressed at once', async ({ demo: page }) => {
  await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
  await page.evaluate(moveIn(660, 400));
  await page.evaluate("document.querySelector('#moved-in').style.zIndex = '0'");
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.mouse.move(660, 400);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.locator('#moved-in')).toHaveAttribute('data-presses', '1');
});

test('a double click opens a dialog and neither closes it nor presses what is in it', async ({ demo: page }) => {
  for (const [path, button, dialog] of [
    ['/projects', 'New Project', 'New Project'],
    ['/deployments', 'Deploy agent', 'Deploy agent'],
    ['/api-keys', 'Create API key', 'Create API key'],
    ['/databases', 'Connect your own', 'Connect your own database'],
    ['/settings?tab=alerts', 'New channel', 'New channel'],
    ['/governance', 'Export Logs', 'Export Logs'],
    ['/governance?tab=policies', 'Create Policy', 'Create Policy'],
  ] as const) {
    // The pointer moves away from the button's place: a press is ignored on a button that appears under a resting pointer.
    await page.mouse.move(0, 0);
    await open(page, path);
    const opener = page.getByRole('main').getByRole('button', { name: button, exact: true });
    const box = await restingBox(opener);
    await pressTwice(page, [box.x + box.width / 2, box.y + box.height / 2]);
    await page.waitForTimeout(300);
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});
