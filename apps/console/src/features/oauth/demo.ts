import type { Client } from '@paddock/client';
import type { Identity } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { providerNames, providers } from '@paddock/contract/providers';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../demo/answering.ts';
import { demoEmail } from '../accounts/demo-account.ts';

const elsewhere = (): Promise<never> =>
  Promise.reject(
    new ApiError('provider_not_configured', { detail: 'The demo does not connect to providers. Sign out to use your own account.' }),
  );

/** Providers of the demo: they can be linked and unlinked until reload, and none is contacted. */
export function demoOAuth(): Client<typeof contract>['oauth'] {
  const now = new Date().toISOString();
  const identities: Identity[] = [{ provider: 'github', email: demoEmail, created_at: now, last_used_at: now }];
  return {
    providers: (_input, options) =>
      answer(
        () => ({ providers: providers.map((provider) => ({ provider, name: providerNames[provider], is_configured: true, hint: null })) }),
        options,
      ),
    authorize: elsewhere,
    callback: elsewhere,
    link: elsewhere,
    linkCallback: ({ provider }, options) =>
      answer(() => {
        if (identities.some((each) => each.provider === provider)) throw new ApiError('provider_linked');
        const at = new Date().toISOString();
        const identity = { provider, email: demoEmail, created_at: at, last_used_at: at };
        identities.push(identity);
        return identity;
      }, options),
    identities: (_input, options) => answer(() => ({ identities, has_password: true }), options),
    identity: ({ provider }, options) =>
      answer(() => {
        const identity = identities.find((each) => each.provider === provider);
        if (!identity) throw new ApiError('identity_not_found');
        return identity;
      }, options),
    unlink: ({ provider }, options) =>
      answer(() => {
        const at = identities.findIndex((each) => each.provider === provider);
        if (at < 0) throw new ApiError('identity_not_found');
        identities.splice(at, 1);
        return null;
      }, options),
  };
}
