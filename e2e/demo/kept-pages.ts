import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { test as demoTest, expect, expectFinger, open, phone, type Site, watch } from './console.ts';

/** A page and what went wrong in it since its test began. */
type Kept = { page: Page; problems: string[] };
type Place = { browser: Browser; site: Site; kept: Map<string, Kept> };

const desktop = { viewport: { width: 1320, height: 860 } };
const leaveMs = 1_000;

/**
 * Pages for tests that only look at the demo: one wide and one phone for all tests of a worker, since loading the console costs more than a screen.
 * Each test begins at the dashboard. A test that changes the demo's data ends at `about:blank`, so that the next one loads the demo anew.
 */
export const test = demoTest.extend<{ wide: Page; phone: Page }, { kept: Map<string, Kept> }>({
  kept: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's pattern
    async ({}, use) => {
      const kept = new Map<string, Kept>();
      await use(kept);
      for (const { page } of kept.values()) await page.context().close();
    },
    { scope: 'worker' },
  ],
  wide: ({ browser, kept, session, site }, use) => visit({ browser, kept, site }, { ...desktop, storageState: session }, use),
  phone: ({ browser, kept, session, site }, use) =>
    visit({ browser, kept, site }, { ...phone, storageState: session }, async (page) => {
      await expectFinger(page);
      await use(page);
    }),
});

type Options = BrowserContextOptions & typeof desktop;

async function visit({ browser, kept, site }: Place, options: Options, use: (page: Page) => Promise<void>) {
  const key = `${options.viewport.width}`;
  const { page, problems } = kept.get(key) ?? (await opened(browser, options));
  kept.set(key, { page, problems });
  await page.setViewportSize(options.viewport);
  // A control that comes under a resting pointer is not pressed at once.
  await page.mouse.move(0, 0);
  problems.length = 0;
  site.asked.length = 0;
  if (!(await isBackAtDashboard(page, site))) await page.goto(`${site.url}/dashboard`);
  await use(page);
  expect(problems).toEqual([]);
  expect(site.asked).toEqual([]);
}

async function opened(browser: Browser, options: Options): Promise<Kept> {
  const page = await (await browser.newContext(options)).newPage();
  return { page, problems: await watch(page) };
}

/** False where the demo has to be loaded: nothing is yet, its data were changed, or something open above the page stays. */
async function isBackAtDashboard(page: Page, { url }: Site): Promise<boolean> {
  if (!page.url().startsWith(url)) return false;
  await open(page, '/dashboard');
  await page.evaluate('scrollTo(0, 0)');
  const state = () => page.evaluate<boolean>(atDashboard);
  for (const until = Date.now() + leaveMs; Date.now() < until; ) if (await state()) return true;
  return false;
}

const atDashboard = `new Promise((resolve) => setTimeout(resolve, 20)).then(() => location.pathname === '/dashboard' && document.title.startsWith('Dashboard')
  && !document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'))`;
