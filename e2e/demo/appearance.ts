import type { Page } from '@playwright/test';

/** The awaited element: a CSS selector, and optionally a text in it. */
interface Awaited {
  selector: string;
  text?: string;
}

/**
 * Resolves once the element has appeared, however briefly. A delayed test would miss an element that the demo shows only for some seconds.
 * Call it before the press that shows the element, and await it after. It does not survive a reload of the page.
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
