import type { Page } from '@playwright/test';

/** What is to appear: an element of a CSS selector, with a text in it where one is given. */
interface Awaited {
  selector: string;
  text?: string;
}

/**
 * Resolves once it has appeared, however short it was there. What the demo shows for some seconds only, a test that is held up would look for too late.
 * Call it before the press that brings it, await it after; it does not outlive a page that is loaded anew.
 */
export const appearance = (page: Page, { selector, text = '' }: Awaited): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const isThere = () => [...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => each.textContent.includes(${JSON.stringify(text)}));
    const observer = new MutationObserver(() => {
      if (!isThere()) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document, { childList: true, subtree: true, characterData: true });
  })`);
