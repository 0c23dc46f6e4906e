import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { serveConsole } from './static-server.ts';

interface Site {
  url: string;
  /** Requests for the API; none in demo mode. */
  asked: string[];
}

/** What the browser keeps of the one sign-in that all tests of a worker begin with. */
type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

// The kernel tells of every network link that an agent's start makes, and Chromium then gives up what it was about to ask.
export const fromNetwork = /net::ERR_NETWORK_CHANGED/;

// What runs in the page is text: these files are checked with the server's types, which know no document.
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  window.reportViolation([event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber].join(' ')));`;

/** A page of the console with the demo signed in. Fails the test on any CSP violation, thrown error or request to the server. */
export const test = base.extend<{ demo: Page; touch: Page }, { site: Site; session: Session }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's pattern
    async ({}, use) => {
      const site = await serveConsole();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  session: [
    async ({ browser, site }, use) => {
      const page = await browser.newPage();
      await signIn(page, site.url);
      const session = await page.context().storageState();
      await page.context().close();
      await use(session);
    },
    { scope: 'worker' },
  ],
  demo: ({ browser, session, site }, use) => watched(browser, { options: { storageState: session }, site }, use),
  /** The same on a phone, where the pointer is a finger. */
  touch: ({ browser, session, site }, use) =>
    watched(
      browser,
      { options: { storageState: session, hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } }, site },
      async (page) => {
        expect(await page.evaluate("matchMedia('(pointer: coarse)').matches && matchMedia('(hover: none)').matches")).toBe(true);
        await use(page);
      },
    ),
});

type Watched = { options: BrowserContextOptions; site: Site };

async function watched(browser: Browser, { options, site }: Watched, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !fromNetwork.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => problems.push(`policy: ${text}`));
  await page.addInitScript({ content: reportViolations });
  site.asked.length = 0;
  await page.goto(`${site.url}/dashboard`);
  await use(page);
  await context.close();
  expect(problems).toEqual([]);
  expect(site.asked).toEqual([]);
}

async function signIn(page: Page, url: string) {
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail').fill('demo@paddock.dev');
  await page.getByLabel('Password').fill('paddock-demo');
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');
}

/** Goes to an address within the app: a reload would begin the demo anew. */
export async function open(page: Page, path: string) {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`);
}

/** Waits for the transitions under way: in the midst of one nothing has the colours that it will have. */
export async function settled(page: Page) {
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    // A transition on what is no longer drawn never ends.
    const longEnough = new Promise((resolve) => setTimeout(resolve, 600));
    await Promise.race([longEnough, Promise.allSettled(passing.map(({ finished }) => finished))]);
  });
}

/** No serious finding of axe, on the page or in what is open above it. */
export async function expectAccessible(page: Page) {
  await settled(page);
  const { violations } = await new AxeBuilder({ page })
    // It would read style sheets by writing style elements, which the content policy forbids.
    .options({ preload: false })
    // There are no frames to look into, and the other way opens a second page for each look.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)).toEqual([]);
}

/** Nothing sticks out of the window sideways. */
export async function expectNoSideScroll(page: Page) {
  const excess = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(excess).toBeLessThanOrEqual(0);
}

export { expect };
