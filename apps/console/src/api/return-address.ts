import { isDemo, readSession, tryStorage } from './session.ts';

const key = 'paddock_return';

/** Keeps the page to which the next sign-in in this tab returns; with an id, only that person's. */
export function keepReturn(href: string, userId?: string) {
  tryStorage(() => sessionStorage.setItem(key, JSON.stringify({ href, userId })));
}

export const forgetReturn = () => tryStorage(() => sessionStorage.removeItem(key));

/** The kept page for the person who has just signed in, once; undefined if there is none. It has the form `/path?query`. */
export function takeReturn(): string | undefined {
  const kept = tryStorage(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') as { href?: unknown; userId?: unknown } | null);
  forgetReturn();
  const session = readSession();
  if (!kept || !session || isDemo(session.token)) return undefined;
  const { href, userId } = kept;
  const isTheirs = userId === undefined || userId === session.user.id;
  return isTheirs && typeof href === 'string' && /^\/[^/\\]/.test(href) ? href : undefined;
}
