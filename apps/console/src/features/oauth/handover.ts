import type { Provider } from '@paddock/contract/providers';
import { sameOriginPath } from './same-origin-path.ts';

/** State of a sign-in, kept in this browser while the person is at the provider. */
export type Handover = {
  state: string;
  purpose: 'sign-in' | 'link';
  remember: boolean;
  /** Path within the console to open afterwards. */
  next?: string | undefined;
};

const keyOf = (provider: Provider) => `paddock_oauth_${provider}`;

/** Throws if the browser has no storage, since the sign-in could not be completed. */
export const keepHandover = (provider: Provider, handover: Handover) => sessionStorage.setItem(keyOf(provider), JSON.stringify(handover));

/** Returns and deletes the state kept for a provider. */
export function takeHandover(provider: Provider): Handover | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(provider));
    sessionStorage.removeItem(keyOf(provider));
    return parse(JSON.parse(text ?? 'null'));
  } catch (error) {
    console.warn('The saved sign-in cannot be read.', error);
    return undefined;
  }
}

function parse(given: unknown): Handover | undefined {
  const { state, purpose, remember, next } = Object(given) as Record<string, unknown>;
  if (typeof state !== 'string' || state === '' || (purpose !== 'sign-in' && purpose !== 'link')) return undefined;
  return { state, purpose, remember: remember === true, next: sameOriginPath(next, location.origin) };
}
