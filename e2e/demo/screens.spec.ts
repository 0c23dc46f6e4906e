import type { Page } from '@playwright/test';
import { sized } from '../../scripts/test/size.ts';
import { expect, expectAccessible, expectContrast, expectNoSideScroll, settled, test } from './console.ts';
import { changesDemo, screens } from './screens.ts';

const folder = process.env.PADDOCK_SCREENSHOTS;
const phone = { width: 360, height: 740 };
/** Overflow and cut-off controls appear first at the narrowest width. */
const phoneWidths = sized({ short: [320], long: [320, 375, 390] });
/** Screens with parts of their own on phones: header and menu, a list instead of a table, a chart, a dialog, a sheet with a form, a treegrid. */
const differentOnPhones = ['dashboard', 'deployments', 'metrics', 'delete project', 'deploy agent', 'trace', 'governance', 'row menu'];
const isDifferent = (name: string) => sized({ short: differentOnPhones.includes(name), long: true });

for (const [name, go] of Object.entries(screens)) {
  const look = async (page: Page, size: string, colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}-${size}-${colorScheme}.png` });
  };

  test(`${name} is accessible and fits a wide window`, async ({ wide: page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await go(page);
    expect(await page.title()).toMatch(/ · Paddock$/);
    if (folder) for (const colorScheme of ['dark', 'light'] as const) await look(page, 'wide', colorScheme);
    await expectNoSideScroll(page);
    await expectAccessible(page);
    await end(page);
  });

  // Light and dark are checked once each: colours do not depend on the width.
  test(`${name} is accessible and fits phones, whose controls are made for fingers`, async ({ phone: page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
    await go(page);
    if (folder) for (const colorScheme of ['light', 'dark'] as const) await look(page, 'touch', colorScheme);
    await (isDifferent(name) ? expectAccessible(page) : expectContrast(page));
    await expectFitsFingers(page);
    for (const width of phoneWidths) {
      await page.setViewportSize({ ...phone, width });
      await settled(page);
      await expectFitsFingers(page);
    }
    await end(page);
  });

  // The next screen of this page needs unchanged data.
  const end = async (page: Page) => changesDemo.has(name) && (await page.goto('about:blank'));
}

/** Expects no overflow and no cut-off control, and targets large enough for a finger in the header and in open menus. */
async function expectFitsFingers(page: Page) {
  const found = await page.evaluate<{ width: number; scrolled: number; cut: string[]; small: string[] }>(lookAtControls);
  expect({ ...found, scrolled: 0 }).toEqual({ width: page.viewportSize()?.width, scrolled: 0, cut: [], small: [] });
  expect(found.scrolled).toBeLessThanOrEqual(found.width);
}

// The code is a string: these files are type-checked with the server's types, which lack the DOM.
const lookAtControls = `(() => {
  const width = document.documentElement.clientWidth;
  const named = (control, { left, top, right, bottom }) =>
    [control.getAttribute('aria-label') || control.textContent || control.name, Math.round(left), Math.round(top), Math.round(right), Math.round(bottom)].join(' ');
  const canScroll = (element) => {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth) return true;
    return false;
  };
  const seen = [...document.querySelectorAll('button, a[href], input, select, textarea, [role="menuitem"]')].filter((control) =>
    control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !control.closest('.sr-only, [inert]') && !control.matches('.sr-only') && control.getBoundingClientRect().width > 1);
  const boxes = seen.map((control) => [control, control.getBoundingClientRect()]).filter(([, { bottom, right }]) => bottom > 0 && right > 0);
  const isFor = (control) => control.closest('header.sticky, [role="menu"]') && !control.closest('[role="dialog"]');
  return {
    width,
    scrolled: document.scrollingElement.scrollWidth,
    cut: boxes.filter(([control, { left, right }]) => (left < -0.5 || right > width + 0.5) && !canScroll(control)).map(([control, box]) => named(control, box)),
    small: boxes.filter(([control, box]) => isFor(control) && (box.width < 43.5 || box.height < 43.5)).map(([control, box]) => named(control, box)),
  };
})()`;
