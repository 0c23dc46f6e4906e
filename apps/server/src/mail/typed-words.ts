import type { Mails } from './mails.ts';
import type { AnyMail } from './queue.ts';

const hidden = 'shown once this e-mail address is verified';
const origin = { user_agent: hidden };

/**
 * Replacements for user-typed words in mails to an unverified address: otherwise an account under a stranger's address could be used
 * to mail that stranger any text. The type requires an entry for each mail.
 */
const withheld: { [T in keyof Mails]: Partial<Mails[T]> } = {
  'verify-email': { name: '' },
  'account-exists': { name: '' },
  'reset-password': { name: '' },
  'password-changed': { name: '', ...origin },
  'confirm-new-email': { name: '' },
  'email-changed': { name: '', new_email: hidden, ...origin },
  'new-sign-in': { name: '', ...origin },
  'second-factor-changed': { name: '', ...origin },
  'identity-linked': { name: '', ...origin },
  'key-created': { name: '', key_name: hidden, ...origin },
  'payment-receipt': { name: '' },
  'payment-failed': { name: '' },
  'billing-notice': { name: '' },
  alert: {
    name: '',
    title: 'your team has to look at something',
    detail: 'Open Paddock to see it. Mails tell it, too, once this e-mail address is verified.',
  },
};

/**
 * Whether the reader has verified the address. Mails that ask for the verification go to an address that is not the account's yet, and may belong to
 * another account.
 */
export async function isForOwner({ template, data }: AnyMail, isVerified: () => Promise<boolean>): Promise<boolean> {
  if (template === 'verify-email' || template === 'confirm-new-email') return false;
  return template === 'email-changed' ? data.is_verified : isVerified();
}

/** The mail without words that a person could have typed. */
export const withoutTypedWords = ({ template, data }: AnyMail): AnyMail =>
  ({ template, data: { ...data, ...withheld[template] } }) as AnyMail;
