import { facts, greeting, link, livesOnce, notYou, type Texts } from './part.ts';

/** Mails about the address and the password of an account. */
export const accountTexts: Texts<
  'verify-email' | 'account-exists' | 'reset-password' | 'password-changed' | 'confirm-new-email' | 'email-changed'
> = {
  'verify-email': ({ name, token }, publicUrl) => ({
    subject: 'Verify your e-mail address',
    parts: [
      greeting(name),
      'An account at Paddock was created with this e-mail address. Open the link to confirm that the address is yours.',
      link('Verify e-mail address', publicUrl, { purpose: 'verify-email', token }),
      livesOnce('verify-email'),
      'If you did not create the account, do not open the link. Then the address stays unverified.',
    ],
  }),
  'account-exists': ({ name }, publicUrl) => ({
    subject: 'You have an account already',
    parts: [
      greeting(name),
      'Somebody tried to sign up at Paddock with this e-mail address. It has an account already, so nothing was created or changed.',
      { label: 'Sign in', href: `${publicUrl}/login` },
      `If that was you and you forgot the password, set a new one: ${publicUrl}/forgot-password`,
      'If it was not you, there is nothing to do.',
    ],
  }),
  'reset-password': ({ name, token }, publicUrl) => ({
    subject: 'Set a new password',
    parts: [
      greeting(name),
      'Somebody asked for a link to set a new password for your account. Setting one ends every session of the account.',
      link('Set a new password', publicUrl, { purpose: 'reset-password', token }),
      `${livesOnce('reset-password')} A link that was sent before does not work any more.`,
      'If you did not ask for it, ignore this mail: the password stays as it is.',
    ],
  }),
  'password-changed': ({ name, ...origin }, publicUrl) => ({
    subject: 'Your password was changed',
    parts: [greeting(name), 'The password of your account was changed.', facts(origin), ...notYou(publicUrl)],
  }),
  'confirm-new-email': ({ name, token }, publicUrl) => ({
    subject: 'Confirm your new e-mail address',
    parts: [
      greeting(name),
      'This address was entered as the new e-mail address of a Paddock account. Open the link to confirm it. Until then, the old address stays in use.',
      link('Confirm new address', publicUrl, { purpose: 'confirm-new-email', token }),
      livesOnce('confirm-new-email'),
      'If you did not ask for it, ignore this mail: nothing changes.',
    ],
  }),
  'email-changed': ({ name, new_email, ...origin }) => ({
    subject: 'The e-mail address of your account was changed',
    parts: [
      greeting(name),
      'Your account has a new e-mail address. You can no longer sign in with this one.',
      facts(origin, ['New address', new_email]),
      'If this was not you, tell the operator of this installation: links for a new password now go to the new address.',
    ],
  }),
};
