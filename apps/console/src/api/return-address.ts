import { isDemo, readSession } from './session.ts';

const key = 'paddock_return';

/** Keeps the page to which the next sign-in in this tab returns; with an id, only that person's. */
export function keepReturn(href: string, userId?: string) {
  storing(() => sessionStorage.setItem(key, JSON.stringify({ href, userId })));
}

export const forgetReturn = () => storing(() => sessionStorage.removeItem(key));

/** The kept page for the person who has just signed in, once; undefined if there is none. It has the form `/path?query`. */
export function takeReturn(): string | undefined {
  const text = storing(() => sessionStorage.getItem(key));
  forgetReturn();
  const session = readSession();
  if (!text || !session || isDemo(session.token)) return undefined;
  const { href, userId } = JSON.parse(text) as { href?: unknown; userId?: unknown };
  const isTheirs = userId === undefined || userId === session.user.id;
  return isTheirs && typeof href === 'string' && /^\/[^/\\]/.test(href) ? href : undefined;
}

/** Without storage the sign-in leads to the dashboard. */
function storing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
