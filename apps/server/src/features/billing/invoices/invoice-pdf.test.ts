import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BillingDetails } from '@paddock/contract';
import { closeUp, day, details, invoiceWorld, pay, readPdf, seller, start } from '../../../../test/invoices.ts';

let world: Awaited<ReturnType<typeof invoiceWorld>>;
before(async () => {
  world = await invoiceWorld();
});

test('an invoice as PDF has both parties, dates, quantities, tax and test mode, and is the same file each time', async () => {
  const ada = await world.renewed();
  const [open] = (await ada.api.invoices.list({})).invoices;
  const { answer, bytes } = await world.pdfOf(ada, open!.id);
  assert.equal(answer.headers.get('content-type'), 'application/pdf');
  assert.match(answer.headers.get('content-disposition') ?? '', new RegExp(`attachment; filename="${open!.id}\\.pdf"`));
  assert.deepEqual((await world.pdfOf(ada, open!.id)).bytes, bytes);
  const { text, pages, info } = await readPdf(bytes);
  assert.equal(pages, 1);
  for (const says of [
    ...['Acme Hosting GmbH', 'Hauptstraße 1', '10115 Berlin', 'hello@acme.example', 'Tax ID DE1'],
    ...['Grace Hopper Ltd', '1 Harbour Road', 'EC1A 1BB London', 'United Kingdom', 'books@hopper.example', 'Tax ID GB 123'],
    ...['20 Oct 2026 to 20 Nov 2026', '1 Sep 2026 to 1 Oct 2026', '1,234.5 hours', '2.5 GB', '$0.05', '$123.45'],
    ...['Subtotal', '$222.58', 'VAT 19 %', '$42.29', 'Total', 'Amount due', '$264.87', 'Open: $264.87 to pay'],
    ...['Test mode: no money was moved', 'Page 1 of 1', open!.id],
  ])
    assert.ok(text.includes(says), `${says} is missing in ${text}`);
  assert.match(info, new RegExp(`Title: +Invoice ${open!.id}`));
  assert.match(info, /Author: +Acme Hosting GmbH/);
});

test('names in any script, very long words, markup and signs that turn lines around are drawn as text, and nothing is an empty box', async () => {
  const ada = await world.someone(0);
  let again = 0;
  const written = async (name: string, more: Partial<BillingDetails> = {}) => {
    // Bypasses the API's validation, which refuses some of these: account names are not validated by it.
    await world.sql`
      insert into billing_buyers (team_id, buyer) values (${ada.team_id}, ${world.sql.json({ ...details, ...more, name })})
      on conflict (team_id) do update set buyer = excluded.buyer`;
    again += 1;
    const id = `again${again}`;
    const at = start + again * 32 * day;
    await ada.live(
      { name: 'select', id, at, plan: 'starter' },
      pay(ada.team_id, id, { at, cents: 2900 }),
      { name: 'cancel', id: `c${id}`, at: at + 2 },
      { name: 'period_ended', id: `e${id}`, at: at + 31 * day },
    );
    const [newest] = (await ada.api.invoices.list({ limit: 1 })).invoices;
    return readPdf((await world.pdfOf(ada, newest!.id)).bytes);
  };
  const scripts = [
    'Łódź Ñandú Đà Nẵng',
    'Ελλάς Α.Ε.',
    'Общество «Ромашка»',
    'שלום עולם',
    'กรุงเทพ',
    '株式会社テスト',
    '北京有限公司',
    '주식회사',
    'Հայաստան',
    'საქართველო',
    'नमस्ते',
  ];
  const all = await written(scripts.join(' '), { address: ['شركة النور'] });
  for (const words of scripts.join(' ').split(' '))
    assert.ok(closeUp(all.text).includes(closeUp(words)), `${words} is missing in ${all.text}`);
  assert.ok(/شركة/.test(all.text) && /النور/.test(all.text), all.text);

  assert.ok(closeUp((await written('W'.repeat(200))).text).includes('W'.repeat(200)), 'a word of 200 letters is broken, not cut off');
  assert.match((await written('Zoo 🦄 Ltd')).text, /Zoo \[U\+1F984\] Ltd/);
  const hostile = await written('<b>A & B</b>\u202e\u0007\u2028 ${7*7}', { city: '\u200b' });
  assert.match(hostile.text, /<b>A & B<\/b> \$\{7\*7\}/);
  assert.doesNotMatch(hostile.text, /[\u202e\u0007]/);
  assert.match((await written('\u202e\u200b')).text, /Billed to\s+-/, 'a name of nothing visible');
});

test('forty lines go over pages with the head of the table on each, and amounts of nothing are told as such', async () => {
  const ada = await world.someone(0);
  const lines = Array.from({ length: 40 }, (_, n) => ({
    kind: 'compute',
    text: 'Compute',
    cents: n === 7 ? 0 : 10,
    month: '2026-02',
    quantity: String(3600 * (n === 7 ? 0 : 1)),
  }));
  const amounts = { sum_cents: 390, credit_cents: 390, tax_cents: 0, total_cents: 0, prepaid_cents: 0, due_cents: 0 };
  await world.sql`
    insert into billing_documents (id, number, team_id, kind, at, bill, tax_basis_points, seller, buyer)
    values ('forty', 900000, ${ada.team_id}, 'invoice', now(), ${world.sql.json({ lines, ...amounts })}, 0, ${world.sql.json(seller)}, '{}')`;
  const { text, pages } = await readPdf((await world.pdfOf(ada, 'PD-900000')).bytes);
  assert.equal(pages, 3);
  assert.equal(text.match(/Unit price/g)?.length, pages, 'each page has the head');
  assert.equal(text.match(/1 Feb 2026 to 1 Mar 2026/g)?.length, 40);
  assert.equal(text.match(/PD-900000, continued/g)?.length, 2);
  for (const says of ['Page 1 of 3', 'Page 3 of 3', '0 hours', 'Credit used', '-$3.90', 'Nothing to pay'])
    assert.ok(text.includes(says), says);
  assert.match(text, /Amount due\s+\$0\.00/);
});
