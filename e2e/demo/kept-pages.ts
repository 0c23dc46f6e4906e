import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { noteToasts } from '../toasts.ts';

/**
 * The pages of a worker, by kind. Opening a browser context and loading the console costs more than most tests, so the tests of a worker
 * share its pages. Each test begins as with a new page, without anything that another test has stored, routed or left open.
 */
export type KeptPages = Map<string, Kept>;

/** `problems` are those since the test began. */
export type Kept = { page: Page; problems: string[] };

/** The browser's storage after a sign-in. */
export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

type Kind = { name: string; options: BrowserContextOptions; watch: (page: Page) => Promise<string[]> };

export async function keptPage({ browser, kept }: { browser: Browser; kept: KeptPages }, { name, options, watch }: Kind): Promise<Kept> {
  const known = kept.get(name);
  if (known) return known;
  const page = await (await browser.newContext(options)).newPage();
  await page.addInitScript({ content: noteToasts });
  const opened = { page, problems: await watch(page) };
  kept.set(name, opened);
  return opened;
}

export const desktop = { width: 1320, height: 860 };

/** Resets the page to a URL without console code, with only this session in its storage. */
export async function startAnew(page: Page, url: string, session?: Session) {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
  await page.goto(`${url}/favicon.svg`);
  await page.evaluate(
    (entries) => {
      for (const storage of [sessionStorage, localStorage]) storage.clear();
      for (const { name, value } of entries) localStorage.setItem(name, value);
    },
    session?.origins.flatMap(({ localStorage }) => localStorage) ?? [],
  );
}
