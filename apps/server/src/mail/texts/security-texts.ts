import { facts, greeting, notYou, type Texts } from './part.ts';

/** Mails about new sign-ins and credentials of an account. */
export const securityTexts: Texts<'new-sign-in' | 'second-factor-changed' | 'identity-linked' | 'key-created'> = {
  'new-sign-in': ({ name, how, ...origin }, publicUrl) => ({
    subject: 'New sign-in to your account',
    parts: [greeting(name), 'Someone signed in to your account from a new browser.', facts(origin, ['How', how]), ...notYou(publicUrl)],
  }),
  'second-factor-changed': ({ name, enabled, ...origin }, publicUrl) => ({
    subject: enabled ? 'Two-factor sign-in is on' : 'Two-factor sign-in is off',
    parts: [
      greeting(name),
      enabled
        ? 'Signing in now requires a code in addition to your password.'
        : 'Your account no longer asks for a code besides the password.',
      facts(origin),
      ...notYou(publicUrl),
    ],
  }),
  'identity-linked': ({ name, provider, ...origin }, publicUrl) => ({
    subject: 'Another way to sign in was added',
    parts: [
      greeting(name),
      'An account at a sign-in provider was linked with your account. It can be unlinked in the profile.',
      facts(origin, ['Provider', provider]),
      ...notYou(publicUrl),
    ],
  }),
  'key-created': ({ name, key_name, key_prefix, ...origin }, publicUrl) => ({
    subject: 'An API key was created',
    parts: [
      greeting(name),
      'A new API key can act on your behalf. You can revoke it on the API Keys page.',
      facts(origin, ['Name', key_name], ['Begins with', key_prefix]),
      { label: 'Open API keys', href: `${publicUrl}/api-keys` },
      'If this was not you, revoke the key and set a new password.',
    ],
  }),
};
