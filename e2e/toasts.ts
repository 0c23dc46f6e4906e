import { expect, type Page } from '@playwright/test';

/** Runs in each page before anything else. A toast disappears after 2 s, and a test may be delayed for longer, so each text is recorded. */
export const noteToasts = `{
  window.saidByToasts = [];
  const known = new WeakMap();
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll('[data-toasts] [role=status] > *')) {
      if (known.get(toast) === toast.textContent) continue;
      known.set(toast, toast.textContent);
      window.saidByToasts.push(toast.textContent);
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}`;

/** Waits until a toast has shown this text since the page was loaded. Each toast counts once: the same text twice needs two toasts. */
export async function expectToast(page: Page, text: string) {
  const taken = `{
    const at = window.saidByToasts.findIndex((said) => said.includes(${JSON.stringify(text)}));
    at >= 0 && window.saidByToasts.splice(at, 1).length > 0;
  }`;
  await expect.poll(() => page.evaluate<boolean>(taken), { message: `a toast that says "${text}"` }).toBe(true);
}
