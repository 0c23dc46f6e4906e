import { expect, type Page } from '@playwright/test';

/** Runs in each page before anything else. A toast goes after 2 s, and a test may be held up for longer: what each says is noted. */
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

/** A toast says this, or said it since the page was loaded. Each counts once: to say the same twice takes two. */
export async function expectToast(page: Page, text: string) {
  const taken = `{
    const at = window.saidByToasts.findIndex((said) => said.includes(${JSON.stringify(text)}));
    at >= 0 && window.saidByToasts.splice(at, 1).length > 0;
  }`;
  await expect.poll(() => page.evaluate<boolean>(taken), { message: `a toast that says "${text}"` }).toBe(true);
}
