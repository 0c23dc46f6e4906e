import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { sized } from '../../scripts/test/size.ts';

/** All of axe's rules, or only the one that depends on the theme. */
const rules = {
  every: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  colors: { type: 'rule', values: ['color-contrast'] },
} satisfies Record<string, axe.RunOnly>;

/** Expects no serious finding of axe, on the page or in an open overlay. */
export const expectAccessible = (page: Page) => expectNoFinding(page, rules.every);

/** Checks only the colours, which takes a fifth of the time: no other rule depends on the theme. */
export const expectContrast = (page: Page) => expectNoFinding(page, rules.colors);

async function expectNoFinding(page: Page, runOnly: axe.RunOnly) {
  await settled(page);
  // Parsing axe costs more than a rule, so a page that has it already keeps it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const violations = await page.evaluate<axe.Result[], axe.RunOptions>(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(options).then((results) => results.violations),
    // With preload axe writes style elements, which the content policy forbids. Passing elements are many, and nothing reads them.
    { runOnly, preload: false, resultTypes: ['violations'] },
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)).toEqual([]);
}

/** Waits for running transitions, and for lists that are dimmed while newer rows are fetched: before that no colour is final. */
export async function settled(page: Page) {
  await expect(page.locator('[aria-busy="true"]:not(button)')).toHaveCount(0);
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    // A transition of an element that is no longer drawn never ends.
    const longEnough = new Promise((resolve) => setTimeout(resolve, 600));
    await Promise.race([longEnough, Promise.allSettled(passing.map(({ finished }) => finished))]);
  });
}

/** Expects that nothing overflows the window sideways. */
export async function expectNoSideScroll(page: Page) {
  const excess = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(excess).toBeLessThanOrEqual(0);
}

/** Checks a phone and a wide window, light and dark. Colours do not depend on the width, and everything else not on the theme. */
export async function expectFitsInBothThemes(page: Page, name: string) {
  const folder = process.env.PADDOCK_SCREENSHOTS;
  for (const width of [360, 1320])
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height: 860 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
      await expectNoSideScroll(page);
      if (sized({ short: colorScheme === 'dark', long: true })) await expectAccessible(page);
      else if (width === 1320) await expectContrast(page);
    }
  await page.emulateMedia({ reducedMotion: null });
}
