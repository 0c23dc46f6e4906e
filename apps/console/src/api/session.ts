import type { User } from '@paddock/contract';
import { useSyncExternalStore } from 'react';

/** Who is signed in here, and the token that proves it. */
export type Session = { token: string; user: User };

const tokenKey = 'paddock_token';
const userKey = 'paddock_user';
/** Storage key of requests to agents, kept only for the session: they may contain private data. */
export const storedRequests = 'paddock_requests';
const watchers = new Set<() => void>();
// The session lives only in this variable, until reload, if the browser refuses storage.
let session: Session | null = readStored();

/** The session that ended last in this page, and whether the person left it. */
let former: { user: User; wasLeft: boolean } | null = null;

export const formerSession = () => former;

export const forgetFormer = () => void (former = null);

export const readSession = (): Session | null => session;

export const isDemo = (token: string | undefined) => token?.startsWith('demo-token-') === true;

/** Remembered sessions survive closing the browser; others end with the tab. */
export function startSession(next: Session, remember: boolean) {
  clearStored();
  const storage = remember ? localStorage : sessionStorage;
  tryStorage(() => {
    storage.setItem(tokenKey, next.token);
    storage.setItem(userKey, JSON.stringify(next.user));
  });
  change(next);
}

/** Updates the signed-in person's data, in the storage that holds the session. */
export function updateUser(user: User) {
  if (!session) return;
  tryStorage(() => (sessionStorage.getItem(tokenKey) ? sessionStorage : localStorage).setItem(userKey, JSON.stringify(user)));
  change({ ...session, user });
}

/**
 * Ends the session; with a token, only the session of that token, since a late response must not end a newer session. `wasLeft`: the person
 * ends it, and not the server.
 */
export function endSession(token?: string, wasLeft = true) {
  if (!session || (token !== undefined && token !== session.token)) return;
  former = { user: session.user, wasLeft };
  clearStored();
  change(null);
}

/** Notifies of every sign-in, sign-out and change of the person, including those in other tabs. Returns a function that stops it. */
export function watchSession(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

export const useSession = () => useSyncExternalStore(watchSession, readSession);

window.addEventListener('storage', (event) => {
  if (event.storageArea === localStorage && (event.key === tokenKey || event.key === null)) {
    const next = readStored();
    if (session && !next) former = { user: session.user, wasLeft: false };
    change(next);
  }
});

function change(next: Session | null) {
  session = next;
  for (const tell of watchers) tell();
}

function readStored(): Session | null {
  return tryStorage(() => parse(sessionStorage) ?? parse(localStorage)) ?? null;
}

function parse(storage: Storage): Session | null {
  const token = storage.getItem(tokenKey);
  const text = storage.getItem(userKey);
  if (!token || !text) return null;
  const user = JSON.parse(text) as Partial<User> | null;
  return typeof user?.id === 'string' && typeof user.email === 'string' && typeof user.name === 'string'
    ? { token, user: user as User }
    : null;
}

function clearStored() {
  tryStorage(() => {
    sessionStorage.removeItem(storedRequests);
    for (const storage of [sessionStorage, localStorage]) {
      storage.removeItem(tokenKey);
      storage.removeItem(userKey);
    }
  });
}

/** Runs work on the browser's storage, which may refuse it. */
export function tryStorage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    console.warn('This browser’s storage could not be read or written.', error);
    return undefined;
  }
}
