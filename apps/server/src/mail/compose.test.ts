import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { compose } from './compose.ts';
import type { Mails } from './mails.ts';
import type { AnyMail } from './queue.ts';
import { message } from './transport.ts';

const publicUrl = 'https://paddock.example';
const origin = { at: new Date('2026-11-21T20:24:30Z'), ip: '192.0.2.7', user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
const name = 'Ada Lovelace';

/** Each mail, with texts that both of its forms must contain. */
const samples: { [T in keyof Mails]: [data: Mails[T], says: string[]] } = {
  'verify-email': [{ name, token: 'tok' }, ['/verify-email#token=tok', 'within 3 days']],
  'account-exists': [{ name }, ['/login', '/forgot-password', 'nothing was created']],
  'reset-password': [{ name, token: 'tok' }, ['/reset-password#token=tok', 'once, within 1 hour']],
  'password-changed': [{ name, ...origin }, ['2026-11-21 20:24 UTC', '192.0.2.7', 'Firefox/140.0', '/forgot-password']],
  'confirm-new-email': [{ name, token: 'tok' }, ['/confirm-email#token=tok', 'within 1 hour']],
  'email-changed': [{ name, new_email: 'ada@new.example', is_verified: true, ...origin }, ['ada@new.example', '192.0.2.7']],
  'new-sign-in': [{ name, how: 'with GitHub', ...origin }, ['with GitHub', '192.0.2.7', '/forgot-password']],
  'second-factor-changed': [{ name, enabled: false, ...origin }, ['no longer asks for a code', '192.0.2.7']],
  'identity-linked': [{ name, provider: 'GitLab', ...origin }, ['GitLab', '192.0.2.7']],
  'key-created': [{ name, key_name: 'ci', key_prefix: 'pk_live_ab12', ...origin }, ['pk_live_ab12', '/api-keys', '192.0.2.7']],
  'payment-receipt': [
    { name, plan: 'Pro', amount: '$99.00', invoice: 'PD-000007', text: 'Your team is on the Pro plan.', document_id: 'd' },
    ['Pro', '$99.00', 'PD-000007', 'on the Pro plan', '/billing'],
  ],
  'payment-failed': [
    { name, plan: 'Pro', amount: '$99.00', reason: 'card declined', next_try: '24 November', text: 'The plan goes on until 29 November.' },
    ['card declined', '24 November', 'until 29 November', '/billing'],
  ],
  'billing-notice': [{ name, title: 'Your subscription has ended', text: 'Your team is on the free plan.' }, ['free plan', '/billing']],
  alert: [{ name, title: 'Error rate of hello is high', detail: '12 % of requests fail' }, ['12 % of requests fail', '/dashboard']],
};
const all = Object.entries(samples).map(([template, [data, says]]) => ({ mail: { template, data } as unknown as AnyMail, says }));

for (const { mail, says } of all)
  test(`the mail '${mail.template}' says what it must in text and in HTML, and loads nothing`, () => {
    const { subject, text, html } = compose(mail, publicUrl);
    assert.ok(subject.length > 5 && subject.length < 80);
    for (const words of ['Hello Ada Lovelace,', ...says]) {
      assert.ok(text.includes(words), `${words} in\n${text}`);
      assert.ok(html.includes(words), `${words} in the HTML`);
    }
    assert.doesNotMatch(html, /<(img|script|link|iframe|style)|url\(/i);
    for (const [, address] of html.matchAll(/href="([^"]*)"/g)) assert.ok(address?.startsWith(`${publicUrl}/`), address);
  });

test('what people typed is text in a mail: it makes no markup, no header, no line and no link of its own', async () => {
  const hostile = '<img src=x onerror=alert(1)>" &amp; \'\r\nBcc: eve@evil.example\r\n\r\n\u202eevil \u2028 \0';
  const composer = createTransport({ streamTransport: true, buffer: true });
  for (const { mail } of all) {
    const data = Object.fromEntries(
      Object.entries(mail.data).map(([key, value]) => [key, typeof value === 'string' && key !== 'token' ? hostile : value]),
    );
    const composed = compose({ template: mail.template, data } as unknown as AnyMail, publicUrl);
    assert.doesNotMatch(composed.html, /<img/);
    assert.doesNotMatch(composed.text + composed.subject, /^Bcc:|[\u202e\u2028\0\r]/m);
    const rest = {
      id: 'mail_1',
      template: mail.template,
      from: 'a@b.example',
      to: 'ada@example.com',
      date: new Date(),
      message_id: '<1@x>',
    };
    const sent = await composer.sendMail(message({ ...rest, ...composed }));
    const read = await PostalMime.parse(sent.message as Buffer);
    assert.equal(read.bcc, undefined, mail.template);
    assert.deepEqual(
      read.to?.map(({ address }) => address),
      ['ada@example.com'],
    );
    assert.deepEqual(
      read.headers
        .map(({ key }) => key)
        .filter((key) => !/^(from|to|subject|message-id|date|auto-submitted|mime-version|content-type)$/.test(key)),
      [],
    );
  }
});

test('a stranger cannot send a message of their own by signing up under a name that is one', () => {
  for (const name of ['Your account is locked: https://evil.example', 'call +1 555', 'evil.example/x', 'x'.repeat(61)])
    assert.match(compose({ template: 'verify-email', data: { name, token: 't' } }, publicUrl).text, /^Hello,\n/);
  for (const name of ['Ada', 'Anne-Marie O’Neill', '李小龍', 'José María de la Cruz'])
    assert.ok(compose({ template: 'verify-email', data: { name, token: 't' } }, publicUrl).text.startsWith(`Hello ${name},`));
});
