import type { Provider } from '@paddock/contract/providers';
import { sameOriginPath } from './same-origin-path.ts';

/** What this browser keeps of a sign-in while its person is at the provider. */
export type Handover = {
  state: string;
  purpose: 'sign-in' | 'link';
  remember: boolean;
  /** Where to go afterwards, within the console. */
  next?: string | undefined;
};

const keyOf = (provider: Provider) => `paddock_oauth_${provider}`;

/** Throws where the browser keeps no storage: nobody could come back then. */
export const keepHandover = (provider: Provider, handover: Handover) => sessionStorage.setItem(keyOf(provider), JSON.stringify(handover));

/** What was kept for this provider, once. */
export function takeHandover(provider: Provider): Handover | undefined {
  try {
    const text = sessionStorage.getItem(keyOf(provider));
    sessionStorage.removeItem(keyOf(provider));
    return parse(JSON.parse(text ?? 'null'));
  } catch (error) {
    console.warn('What was kept of the sign-in cannot be read.', error);
    return undefined;
  }
}

function parse(given: unknown): Handover | undefined {
  const { state, purpose, remember, next } = Object(given) as Record<string, unknown>;
  if (typeof state !== 'string' || state === '' || (purpose !== 'sign-in' && purpose !== 'link')) return undefined;
  return { state, purpose, remember: remember === true, next: sameOriginPath(next, location.origin) };
}
