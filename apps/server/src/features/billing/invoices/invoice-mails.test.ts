import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billingWorld } from '../../../../test/billing.ts';
import { readPdf } from '../../../../test/invoices.ts';
import { until } from '../../../../test/platform.ts';
import { smtpServer } from '../../../../test/smtp.ts';
import { createLog } from '../../../log.ts';
import { type DeliveryParts, startDelivery } from '../../../mail/delivery.ts';
import { smtp } from '../../../mail/smtp.ts';
import { mailStore } from '../../../mail/store.ts';

const start = '2027-03-10T09:00:00.000Z';
const details = {
  name: 'Łódź Books 株式会社',
  email: 'books@example.org',
  address: [],
  postal_code: '',
  city: '',
  country: 'PL',
  tax_id: '',
};

test('a receipt and a credit note arrive with their PDF at verified addresses of members, and at no address that somebody typed in', async (t) => {
  const world = await billingWorld(t, start);
  const { url, received } = await smtpServer(t);
  const { api, email } = await world.person();
  await verify(world, email);
  await api.invoices.setDetails(details);
  await api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_visa' });
  await api.billing.switch({ plan: 'starter' });
  const [queued] = await world.sql<{ size: number }[]>`select max(length(sealed)) as size from mails`;
  assert.ok(queued && queued.size < 2000, 'the queue holds the id of the document, not its file');
  const delivery = deliver(world, { transport: smtp(url), documentOf: world.features.invoices.exports.renderPdf });
  t.after(() => delivery.close());
  await until('all mails came', async () => (await world.sql`select 1 from mails where sent_at is null`).length === 0);
  const about = received.filter(({ attachments }) => attachments.length > 0);
  const seen = await Promise.all(
    about.map(async ({ recipients, subject, attachments: [file] }) => {
      assert.equal(file?.mimeType, 'application/pdf');
      const { text } = await readPdf(new Uint8Array(file?.content as ArrayBuffer));
      return { to: recipients[0], subject, file: file?.filename, text };
    }),
  );
  assert.deepEqual(seen.map(({ to, file }) => `${to} ${file}`).toSorted(), [`${email} PD-000001.pdf`, `${email} PD-000002.pdf`]);
  assert.deepEqual([...new Set(received.flatMap(({ recipients }) => recipients))], [email]);
  for (const { file, text } of seen) {
    assert.match(text, file === 'PD-000001.pdf' ? /Invoice number\s+PD-000001/ : /Credit note number\s+PD-000002/);
    assert.match(text, /Łódź Books 株式会社/);
    assert.match(text, file === 'PD-000001.pdf' ? /\$99\.00 were paid/ : /Added to your credit\s+\$70\.00/);
    assert.match(text, /Test mode: no money was moved/);
  }
  assert.ok(seen.some(({ subject }) => subject?.includes('PD-000001')));
});

test('a member who has not confirmed the address hears of a payment without the words that the team put on its invoice', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  await api.invoices.setDetails(details);
  await api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_visa' });
  const mails = (await world.mailsTo(email)).filter(({ data }) => JSON.stringify(data).includes('Pro plan'));
  assert.deepEqual(
    mails.map(({ template, data }) => ({ template, hasDocument: 'document_id' in data })),
    [{ template: 'billing-notice', hasDocument: false }],
  );
  assert.doesNotMatch(JSON.stringify(mails), /Łódź/);
});

test('a mail whose file cannot be made is tried again, and goes without it in the end', async (t) => {
  const world = await billingWorld(t, start);
  const { url, received } = await smtpServer(t);
  const { api, email } = await world.person();
  await verify(world, email);
  await api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_visa' });
  await world.sql`delete from mails where template <> 'payment-receipt'`;
  let asked = 0;
  const documentOf = async () => {
    asked += 1;
    throw new Error('no room for a thread');
  };
  const delivery = deliver(world, { transport: smtp(url), documentOf });
  t.after(() => delivery.close());
  await until('the mail came', async () => {
    await world.sql`update mails set next_try_at = now() where sent_at is null and last_error is not null`;
    await world.sql`select pg_notify('mails', '')`;
    return received.length > 0;
  });
  assert.equal(asked, 4);
  assert.deepEqual([received.length, received[0]?.attachments.length], [1, 0]);
});

type World = Awaited<ReturnType<typeof billingWorld>>;

/** Verifies the address like the link in the mail. */
const verify = ({ sql }: World, email: string) => sql`
  update users
  set email_verified = true
  where email = ${email}`;

const deliver = ({ sql, seal, changes }: World, parts: Pick<DeliveryParts, 'transport' | 'documentOf'>) =>
  startDelivery({
    store: mailStore(sql),
    seal,
    changes,
    publicUrl: 'https://paddock.example',
    from: 'Paddock <paddock@paddock.example>',
    log: createLog('silent'),
    ...parts,
  });
