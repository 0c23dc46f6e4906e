import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { sized } from '../../scripts/test/size.ts';

/** Everything that axe can find, or only the rule that depends on the theme. */
const rules = {
  every: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  colors: { type: 'rule', values: ['color-contrast'] },
} satisfies Record<string, axe.RunOnly>;

/** No serious finding of axe, on the page or in what is open above it. */
export const expectAccessible = (page: Page) => expectNoFinding(page, rules.every);

/** The same for the colours alone, a fifth of the work: of all rules it is the one that another theme can break. */
export const expectContrast = (page: Page) => expectNoFinding(page, rules.colors);

async function expectNoFinding(page: Page, runOnly: axe.RunOnly) {
  await settled(page);
  // Parsing axe costs more than a rule: a page that is asked again has it already.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const violations = await page.evaluate<axe.Result[], axe.RunOptions>(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(options).then((results) => results.violations),
    // It would read style sheets by writing style elements, which the content policy forbids. The elements that pass are many, and nobody reads them.
    { runOnly, preload: false, resultTypes: ['violations'] },
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)).toEqual([]);
}

/** Waits for the transitions under way, and for lists that are dimmed while newer rows are fetched: until then nothing has the colours that it will have. */
export async function settled(page: Page) {
  await expect(page.locator('[aria-busy="true"]:not(button)')).toHaveCount(0);
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    // A transition on what is no longer drawn never ends.
    const longEnough = new Promise((resolve) => setTimeout(resolve, 600));
    await Promise.race([longEnough, Promise.allSettled(passing.map(({ finished }) => finished))]);
  });
}

/** Nothing sticks out of the window sideways. */
export async function expectNoSideScroll(page: Page) {
  const excess = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(excess).toBeLessThanOrEqual(0);
}

/** On a phone and in a wide window, light and dark. Colours do not depend on the width, and everything else not on the theme. */
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
