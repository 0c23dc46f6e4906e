import * as z from 'zod';
import { SignIn } from './accounts.ts';
import { nothing, timestamp } from './lists.ts';
import { ownPassword, ownPasswordErrors } from './profile.ts';
import { providers } from './providers.ts';
import { route } from './route.ts';

export const ProviderName = z.enum(providers, 'Unknown OAuth provider');

export const ProviderState = z.object({
  provider: ProviderName,
  name: z.string(),
  is_configured: z.boolean(),
  hint: z.string().nullable().meta({ description: 'How to configure it, when it is not' }),
});
export type ProviderState = z.infer<typeof ProviderState>;

/** An account at a provider that its owner may use to sign in. */
export const Identity = z.object({
  provider: ProviderName,
  email: z.string().meta({ description: 'The address that the provider told when it was linked' }),
  created_at: timestamp,
  last_used_at: timestamp,
});
export type Identity = z.infer<typeof Identity>;

const redirect_uri = z
  .string()
  .max(2000)
  .meta({ description: "This console's own /auth/callback, or /auth/callback/{provider}; the provider is given the latter" });
export const ProviderAuthorization = z.object({
  authorization_url: z.string().meta({ description: 'Where to send the browser' }),
  state: z.string().meta({ description: 'Comes back with the code. Keep it in that browser and compare' }),
});
const answer = {
  provider: ProviderName,
  code: z.string().min(1).max(4096),
  state: z.string().min(1).max(200),
  iss: z.string().max(500).optional().meta({ description: 'As it came back, if it did' }),
};

export const oauth = {
  providers: route({
    method: 'GET',
    path: '/oauth/providers',
    access: 'public',
    summary: 'Identity providers, and which of them can be used here',
    input: z.strictObject({}),
    output: z.object({ providers: z.array(ProviderState) }),
  }),
  authorize: route({
    method: 'GET',
    path: '/oauth/:provider/authorize',
    answer: 'secret',
    access: 'public',
    summary: 'Begin to sign in, or up, through a provider',
    note: 'Send the browser to `authorization_url`. The provider sends it back with `code`, `state` and perhaps `iss`, which go to the callback once, within 10 minutes. The server handles PKCE and the nonce.',
    errors: ['provider_not_configured', 'provider_unavailable', 'too_many_attempts'],
    input: z.strictObject({ provider: ProviderName, redirect_uri }),
    output: ProviderAuthorization,
  }),
  callback: route({
    method: 'POST',
    path: '/oauth/:provider/callback',
    answer: 'secret',
    access: 'public',
    summary: 'Sign in by what the provider sent back; makes the account if there is none',
    audit: 'session.open',
    errors: [
      'oauth_state_invalid',
      'provider_not_configured',
      'provider_refused',
      'provider_email_missing',
      'provider_unavailable',
      'account_not_linked',
      'second_factor_required',
      'second_factor_wrong',
      'too_many_attempts',
    ],
    input: z.strictObject({
      ...answer,
      remember: z.boolean().default(false).meta({ description: 'True: the session lives 30 days, else 12 hours' }),
      second_factor: z
        .string()
        .trim()
        .max(64)
        .optional()
        .meta({ description: 'After second_factor_required: the same call again with the code, within 5 minutes and 5 tries' }),
    }),
    output: SignIn,
  }),
  link: route({
    method: 'POST',
    path: '/oauth/:provider/link',
    answer: 'secret',
    access: 'session',
    summary: 'Begin to link a provider to the own account',
    note: 'This `state` works with the callback of linking alone.',
    // Not audited: nothing is linked before the provider's response arrives.
    audit: false,
    errors: [...ownPasswordErrors, 'provider_not_configured', 'provider_unavailable'],
    input: z.strictObject({ provider: ProviderName, redirect_uri, password: ownPassword }),
    output: ProviderAuthorization,
  }),
  linkCallback: route({
    method: 'POST',
    path: '/oauth/:provider/link/callback',
    access: 'session',
    status: 201,
    location: '/auth/identities/{provider}',
    summary: 'Link the account at the provider by what it sent back',
    audit: 'identity.link',
    errors: [
      'oauth_state_invalid',
      'provider_not_configured',
      'provider_refused',
      'provider_email_missing',
      'provider_unavailable',
      'identity_taken',
      'provider_linked',
      'too_many_attempts',
    ],
    input: z.strictObject(answer),
    output: Identity,
  }),
  identities: route({
    method: 'GET',
    path: '/auth/identities',
    access: 'session',
    summary: 'Providers that are linked to the own account',
    input: z.strictObject({}),
    output: z.object({ identities: z.array(Identity), has_password: z.boolean() }),
  }),
  identity: route({
    method: 'GET',
    path: '/auth/identities/:provider',
    access: 'session',
    summary: 'The account of a provider that is linked to the own account',
    errors: ['identity_not_found'],
    input: z.strictObject({ provider: ProviderName }),
    output: Identity,
  }),
  unlink: route({
    method: 'DELETE',
    path: '/auth/identities/:provider',
    access: 'session',
    status: 204,
    summary: 'Unlink a provider, unless it is the only way in',
    audit: 'identity.unlink',
    errors: ['identity_not_found', 'last_way_in'],
    input: z.strictObject({ provider: ProviderName }),
    output: nothing,
  }),
};
