import { type Browser, type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { expectAccessible, expectContrast, expectNoSideScroll, settled } from './accessible.ts';
import { serveConsole } from './static-server.ts';

export interface Site {
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

export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

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
    watched(browser, { options: { ...phone, storageState: session }, site }, async (page) => {
      await expectFinger(page);
      await use(page);
    }),
});

type Watched = { options: BrowserContextOptions; site: Site };

async function watched(browser: Browser, { options, site }: Watched, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems = await watch(page);
  site.asked.length = 0;
  await page.goto(`${site.url}/dashboard`);
  await use(page);
  await context.close();
  expect(problems).toEqual([]);
  expect(site.asked).toEqual([]);
}

/** What goes wrong in a page from now on: content policy, thrown errors, the console. */
export async function watch(page: Page): Promise<string[]> {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !fromNetwork.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => problems.push(`policy: ${text}`));
  await page.addInitScript({ content: reportViolations });
  return problems;
}

export const expectFinger = async (page: Page) =>
  expect(await page.evaluate("matchMedia('(pointer: coarse)').matches && matchMedia('(hover: none)').matches")).toBe(true);

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

export { expect, expectAccessible, expectContrast, expectNoSideScroll, settled };
