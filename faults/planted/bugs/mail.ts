import type { PlantedBug } from '../bug.ts';

const accounts = 'apps/server/src/features/accounts';
const mail = 'apps/server/src/mail';
const recovery = `${accounts}/recovery/recovery.test.ts`;
const delivery = `${mail}/delivery.test.ts`;

/** Bugs in sign-up, mailed links and mail. */
export const mailBugs: PlantedBug[] = [
  {
    bug: 'a mailed link is not used up',
    promise: 'R6: a link works once',
    file: `${accounts}/link-store.ts`,
    from: '      delete from mailed_links link',
    to: '      update mailed_links link set expires_at = expires_at',
    caught_by: { file: recovery, test: 'the link of the sign-up' },
  },
  {
    bug: 'a link lives twice as long',
    promise: 'R6: a link for a new password lives for an hour',
    file: `${accounts}/link-store.ts`,
    from: '${mailedLinks[purpose].lifetimeSeconds} seconds',
    to: '${mailedLinks[purpose].lifetimeSeconds * 2} seconds',
    caught_by: { file: recovery, test: 'a newer link' },
  },
  {
    bug: 'a link to an address that the account no longer has sets its password',
    promise: 'R6: a link proves one address',
    file: `${accounts}/store.ts`,
    from: 'if (!account || !isSameAddress(account.email, email)) return undefined;',
    to: 'if (!account) return undefined;',
    caught_by: { file: recovery, test: 'a newer link' },
  },
  {
    bug: 'a new password leaves the sessions',
    promise: 'R7: a reset ends all sessions',
    file: `${accounts}/recovery/recovery-routes.ts`,
    from: 'await sessions.closeAllOf(proved.user_id, tx);',
    to: '',
    caught_by: { file: recovery, test: 'a mailed link sets a new password' },
  },
  {
    bug: 'for an address that has an account no password is hashed at sign-up',
    promise: 'R4: known and unknown accounts take the same time',
    file: `${accounts}/routes.ts`,
    from: 'const password_hash = await passwords.hash(password);',
    to: "const password_hash = (await store.byEmail(email)) ? '' : await passwords.hash(password);",
    caught_by: { file: `${accounts}/enumeration.test.ts`, test: 'nor does a sign-up' },
  },
  {
    bug: 'a mail that one server sends is free for another',
    promise: 'F21: no mail comes twice',
    file: `${mail}/store.ts`,
    from: 'next_try_at = now() + ${`${leaseSeconds} seconds`}::interval',
    to: 'next_try_at = now() + ${`${leaseSeconds * 0} seconds`}::interval',
    caught_by: { file: delivery, test: 'two servers send' },
  },
  {
    bug: 'a mail is queued beside the transaction',
    promise: 'a mail tells what happened',
    file: `${mail}/queue.ts`,
    from: 'await within`',
    to: 'await sql`',
    caught_by: { file: delivery, test: 'a mail that is queued in a transaction' },
  },
  {
    bug: 'the text of a sent mail stays',
    promise: 'R6: a copy of the database opens no account',
    file: `${mail}/store.ts`,
    from: 'set sent_at = now(), sealed = null, key_id = null,',
    to: 'set sent_at = now(),',
    caught_by: { file: delivery, test: 'a queued mail is received' },
  },
  {
    bug: 'what people typed is markup in a mail',
    promise: 'R80: nothing is injected into mails',
    file: `${mail}/layout.ts`,
    from: "text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')",
    to: "text.replaceAll('&', '&amp;')",
    caught_by: { file: `${mail}/compose.test.ts`, test: 'what people typed' },
  },
];
