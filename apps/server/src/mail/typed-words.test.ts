import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/platform.ts';
import { startApi } from '../../test/server.ts';
import { smtpServer } from '../../test/smtp.ts';
import { createLog } from '../log.ts';
import { startDelivery } from './delivery.ts';
import type { Mails } from './mails.ts';
import { mailQueue } from './queue.ts';
import { smtp } from './smtp.ts';
import { mailStore } from './store.ts';

const words = 'Buy now call Eve';
const name = words;
const origin = { at: new Date('2026-11-21T20:24:30Z'), ip: '192.0.2.7', user_agent: words };
const mails: { [T in keyof Mails]: Mails[T] } = {
  'verify-email': { name, token: 't' },
  'account-exists': { name },
  'reset-password': { name, token: 't' },
  'password-changed': { name, ...origin },
  'confirm-new-email': { name, token: 't' },
  'email-changed': { name, new_email: `${words}@evil.example`, is_verified: false, ...origin },
  'new-sign-in': { name, how: 'Password', ...origin },
  'second-factor-changed': { name, enabled: true, ...origin },
  'identity-linked': { name, provider: 'GitLab', ...origin },
  'key-created': { name, key_name: words, key_prefix: 'pk_live_ab12', ...origin },
  'payment-receipt': { name, plan: 'Pro plan', amount: '$99.00', invoice: 'PD-000001', text: 'It was charged.', document_id: 'doc' },
  'payment-failed': { name, plan: 'Pro plan', amount: '$99.00', reason: 'Declined.', next_try: null, text: 'Nothing was charged.' },
  'billing-notice': { name, title: 'Your plan was switched', text: 'It is in force.', document_id: 'doc' },
  alert: { name, title: `${words} is down`, detail: words },
};
const templates = Object.keys(mails) as (keyof Mails)[];

test('no mail to an unverified address has words or a file that a person made; to a verified address they arrive', async (t) => {
  const { sql, changes, seal, person } = await startApi(t);
  const { url, received } = await smtpServer(t);
  const [stranger, ada] = [await person(), await person()];
  await sql`delete from mails`;
  await sql`update users set email_verified = true where email = ${ada.email}`;
  const send = mailQueue(sql, seal);
  for (const template of templates) {
    await send(template, { to: stranger.email, data: mails[template] });
    await send(template, { to: ada.email, data: { ...mails[template], ...(template === 'email-changed' ? { is_verified: true } : {}) } });
  }
  // No account has this address any more: the caller that queues the mail provides whether it was verified.
  await send('email-changed', { to: 'before@example.com', data: { ...mails['email-changed'], is_verified: true } });
  const delivery = startDelivery({
    store: mailStore(sql),
    seal,
    changes,
    publicUrl: 'https://paddock.example',
    from: 'Paddock <paddock@paddock.example>',
    log: createLog('silent'),
    transport: smtp(url),
    documentOf: async () => ({ file_name: 'PD-000001.pdf', content_type: 'application/pdf', bytes: Buffer.from(words) }),
  });
  t.after(() => delivery.close());
  await until('all mails came', async () => (await sql`select 1 from mails where sent_at is null`).length === 0);
  const to = (address: string) => received.filter(({ recipients }) => recipients[0] === address);
  assert.deepEqual([to(stranger.email).length, to(ada.email).length], [templates.length, templates.length]);
  for (const { subject, text, html, attachments } of to(stranger.email)) {
    assert.doesNotMatch(`${subject} ${text} ${html}`, /Buy now|Eve/, subject);
    assert.deepEqual(attachments, [], subject);
  }
  // These two may have been requested for another account.
  const isProof = (subject = '') => /^(Verify your|Confirm your new) e-mail address$/.test(subject);
  for (const { subject, text } of to(ada.email)) assert.equal(/Buy now call Eve/.test(`${subject} ${text}`), !isProof(subject), subject);
  assert.equal(to(ada.email).filter(({ attachments }) => attachments.length > 0).length, 2);
  assert.match(to('before@example.com')[0]?.text ?? '', /New address: +Buy now call Eve@evil\.example/);
});
