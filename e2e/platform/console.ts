import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { expectAccessible, expectContrast, expectNoSideScroll, settled } from '../demo/accessible.ts';
import { fromNetwork } from '../demo/console.ts';
import { noteToasts } from '../toasts.ts';
import { newPerson, type Person, someAddress } from './api.ts';
import { type Line, openLine } from './line.ts';
import { place } from './place.ts';

interface Fixtures {
  /** Errors that this test provokes on purpose. */
  tolerated: RegExp[];
  guarded: undefined;
  line: Line;
}

/** Watches every page of a test: a violation of the content policy, an error in the console or a thrown one fails the test. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's pattern
  baseURL: ({}, use) => use(place().origin),
  // oxlint-disable-next-line no-empty-pattern -- as above
  extraHTTPHeaders: ({}, use) => use({ 'x-forwarded-for': someAddress() }),
  // oxlint-disable-next-line no-empty-pattern -- as above
  tolerated: ({}, use) => use([]),
  // oxlint-disable-next-line no-empty-pattern -- as above
  line: async ({}, use) => {
    const line = await openLine();
    await use(line);
    await line.close();
  },
  guarded: [
    async ({ context, tolerated }, use) => {
      const problems = await watch(context);
      await use(undefined);
      expect(problems.filter((problem) => !tolerated.some((pattern) => pattern.test(problem)))).toEqual([]);
    },
    { auto: true },
  ],
});

/** The same with a signed-in person, a new one for each test. */
export const signedIn = test.extend<{ person: Person }>({
  // oxlint-disable-next-line no-empty-pattern -- as above
  person: async ({}, use) => use(await newPerson()),
  storageState: ({ person }, use) => use(stateOf(person)),
});

/** The browser's storage of a person who chose 'Remember me'. */
export const stateOf = ({ token, user }: Person, origin = place().origin) => ({
  cookies: [],
  origins: [
    {
      origin,
      localStorage: [
        { name: 'paddock_token', value: token },
        { name: 'paddock_user', value: JSON.stringify(user) },
      ],
    },
  ],
});

// Chromium writes each 4xx response to the console; the tests judge whether it was right.
const refused = /the server responded with a status of 4\d\d/;

async function watch(context: BrowserContext): Promise<string[]> {
  const problems: string[] = [];
  await context.exposeFunction('reportViolation', (text: string) => void problems.push(`policy: ${text}`));
  await context.addInitScript({ content: noteToasts });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
      const { reportViolation } = window as unknown as { reportViolation: (text: string) => void };
      reportViolation(`${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`);
    });
  });
  context.on('weberror', (error) => problems.push(`threw: ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    if (fromNetwork.test(message.text()) || (refused.test(message.text()) && url.includes('/api/v1/'))) return;
    problems.push(`console: ${message.text()} (${url})`);
  });
  return problems;
}

/** The status beside the title of a deployment's page. */
export const statusOf = (page: Page) =>
  page
    .locator('header')
    .filter({ has: page.getByRole('heading', { level: 1 }) })
    .getByRole('status');
export const logLines = (page: Page) => page.getByRole('region', { name: 'Log lines' });
export const archive = (buffer: Buffer, name = 'agent.zip') => ({ name, mimeType: 'application/zip', buffer });

/** Sets a mark on the page that a reload would remove. */
export async function expectNoReload(page: Page, work: () => Promise<void>) {
  await page.evaluate(() => document.documentElement.setAttribute('data-not-reloaded', ''));
  await work();
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-not-reloaded'))).toBe(true);
}

/** Signs in at another address of the same platform. */
export async function enter(page: Page, { token, user }: Person, origin: string) {
  await page.goto(`${origin}/login`);
  await page.evaluate(
    ([given, person]) => {
      localStorage.setItem('paddock_token', given as string);
      localStorage.setItem('paddock_user', person as string);
    },
    [token, JSON.stringify(user)],
  );
}

export { expect, expectAccessible, expectContrast, expectNoSideScroll, settled };
