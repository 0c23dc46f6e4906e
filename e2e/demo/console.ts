import { type Browser, test as base, expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectContrast, expectNoSideScroll, settled } from './accessible.ts';
import { desktop, type KeptPages, keptPage, type Session, startAnew } from './kept-pages.ts';
import { serveConsole } from './static-server.ts';

interface Site {
  url: string;
  /** API requests that were made; none in demo mode. */
  asked: string[];
}

// The kernel reports every network link that a starting agent creates, and Chromium then aborts requests.
export const fromNetwork = /net::ERR_NETWORK_CHANGED/;

// Code for the page is a string: these files are type-checked with the server's types, which lack the DOM.
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) =>
  window.reportViolation([event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber].join(' ')));`;

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const leaveMs = 1_000;

interface Pages {
  /** The console with the demo signed in, loaded for this test. */
  demo: Page;
  /** The same on a phone with a touch screen. */
  touch: Page;
  /** Like `demo`, for tests that only read: the router returns to the dashboard. A test that changes the demo's data ends at `about:blank`. */
  wide: Page;
  /** Like `touch`, for tests that only read. */
  phone: Page;
}

/** Pages of the console. A test with the demo fails on any CSP violation, thrown error or request to the server. */
export const test = base.extend<Pages, { site: Site; session: Session; kept: KeptPages }>({
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
  kept: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const kept: KeptPages = new Map();
      await use(kept);
      for (const { page } of kept.values()) await page.context().close();
    },
    { scope: 'worker' },
  ],
  page: async ({ browser, kept, site }, use) => {
    const { page } = await keptPage({ browser, kept }, { name: 'scripted', options: { viewport: desktop }, watch: async () => [] });
    await page.setViewportSize(desktop);
    await page.mouse.move(0, 0);
    await startAnew(page, site.url);
    await use(page);
    await page.goto('about:blank');
  },
  demo: ({ browser, kept, session, site }, use) => visit({ browser, kept, session, site, isAnew: true }, use),
  touch: ({ browser, kept, session, site }, use) => visit({ browser, kept, session, site, isAnew: true, isPhone: true }, use),
  wide: ({ browser, kept, session, site }, use) => visit({ browser, kept, session, site }, use),
  phone: ({ browser, kept, session, site }, use) => visit({ browser, kept, session, site, isPhone: true }, use),
});

type Visit = { browser: Browser; kept: KeptPages; session: Session; site: Site; isAnew?: boolean; isPhone?: boolean };

async function visit({ browser, kept, session, site, isAnew = false, isPhone = false }: Visit, use: (page: Page) => Promise<void>) {
  const options = isPhone ? phone : { viewport: desktop };
  const { page, problems } = await keptPage({ browser, kept }, { name: isPhone ? 'phone' : 'wide', options, watch });
  await page.setViewportSize(options.viewport);
  // A press is ignored on a control that appears under a resting pointer.
  await page.mouse.move(0, 0);
  problems.length = 0;
  site.asked.length = 0;
  if (isAnew || !(await isBackAtDashboard(page, site))) {
    await startAnew(page, site.url, session);
    await page.goto(`${site.url}/dashboard`);
  }
  if (isPhone) expect(await page.evaluate("matchMedia('(pointer: coarse)').matches && matchMedia('(hover: none)').matches")).toBe(true);
  await use(page);
  if (isAnew) await page.goto('about:blank');
  expect(problems).toEqual([]);
  expect(site.asked).toEqual([]);
}

/** False if the demo must be loaded: the page is empty, its data was changed, or an overlay remains open. */
async function isBackAtDashboard(page: Page, { url }: Site): Promise<boolean> {
  if (!page.url().startsWith(url)) return false;
  await open(page, '/dashboard');
  await page.evaluate('scrollTo(0, 0)');
  for (const until = Date.now() + leaveMs; Date.now() < until; ) if (await page.evaluate<boolean>(isAtDashboard)) return true;
  return false;
}

const isAtDashboard = `new Promise((resolve) => setTimeout(resolve, 20)).then(() => location.pathname === '/dashboard'
  && document.title.startsWith('Dashboard') && !document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'))`;

/** Collects the page's problems from now on: content policy, thrown errors, the console. */
async function watch(page: Page): Promise<string[]> {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`threw: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !fromNetwork.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => problems.push(`policy: ${text}`));
  await page.addInitScript({ content: reportViolations });
  return problems;
}

async function signIn(page: Page, url: string) {
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail').fill('demo@paddock.dev');
  await page.getByLabel('Password').fill('paddock-demo');
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/dashboard');
}

/** Navigates within the app: a reload would restart the demo. */
export async function open(page: Page, path: string) {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`);
}

export { expect, expectAccessible, expectContrast, expectNoSideScroll, settled };

/**
 * Opens a menu by its button and returns an entry of it. Presses again like a person where nothing opened: the console refuses a press on a
 * control that the page moved under the pointer, as it does while it still loads on a busy machine.
 */
export async function openMenu(page: Page, button: Locator, item: string) {
  const entry = page.getByRole('menuitem', { name: item, exact: true });
  await expect(async () => {
    await button.click();
    await entry.waitFor({ timeout: 5_000 });
  }).toPass();
  return entry;
}

/** Presses a button of the first row of a project; on a phone, whose rows have no such buttons, the entry of its menu. */
export async function chooseForRow(page: Page, { button, item }: { button: RegExp; item: string }) {
  const isPhone = (page.viewportSize()?.width ?? 0) < 640;
  if (!isPhone) return page.getByRole('button', { name: button }).first().click();
  const actions = page.getByRole('button', { name: /^Actions for support-router/ }).first();
  return (await openMenu(page, actions, item)).click();
}
