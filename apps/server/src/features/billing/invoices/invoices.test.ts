import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BillingEvent } from '@paddock/billing';
import type { BillingDetails } from '@paddock/contract';
import { day, details, invoiceWorld, pay, readPdf, start, usage } from '../../../../test/invoices.ts';

let world: Awaited<ReturnType<typeof invoiceWorld>>;
before(async () => {
  world = await invoiceWorld();
});

test('a first invoice is paid, a renewal with usage is open until it is paid, and each tells its lines', async () => {
  const ada = await world.renewed();
  const { invoices } = await ada.api.invoices.list({});
  assert.deepEqual(
    invoices.map(({ kind, status, amount, text, corrects }) => ({ kind, status, amount, text, corrects })),
    [
      { kind: 'invoice', status: 'open', amount: 264.87, text: 'Pro plan, usage of 2026-09', corrects: null },
      { kind: 'invoice', status: 'paid', amount: 117.81, text: 'Pro plan', corrects: null },
    ],
  );
  const open = await ada.api.invoices.get({ id: invoices[0]!.id });
  assert.match(open.id, /^PD-\d{6}$/);
  assert.deepEqual([open.subtotal, open.tax, open.tax_percent, open.due], [222.58, 42.29, 19, 264.87]);
  assert.deepEqual(
    open.lines.map(({ text, quantity, unit, unit_price, amount }) => [text, quantity, unit, unit_price, amount]),
    [
      ['Pro plan', null, null, null, 99],
      ['Compute', 1234.5, 'hour', 0.1, 123.45],
      ['Bandwidth', 2.5, 'GB', 0.05, 0.13],
    ],
  );
  assert.deepEqual([open.period_start, open.period_end], ['2026-10-20T10:00:01.000Z', '2026-11-20T10:00:01.000Z']);
  assert.deepEqual(
    [open.seller.name, open.buyer.name, open.buyer.country_name],
    ['Acme Hosting GmbH', 'Grace Hopper Ltd', 'United Kingdom'],
  );
  await ada.live(pay(ada.team_id, 'end', { at: Date.parse('2026-10-20T10:00:05Z'), cents: 26_487 }));
  assert.equal((await ada.api.invoices.get({ id: open.id })).status, 'paid');
});

test('an unpaid renewal is taken back by a credit note, which gives each amount back, and a debt that is written off says so', async () => {
  const ada = await world.renewed();
  const failed = (attempt: number, days: number): BillingEvent => ({
    name: 'payment_failed',
    id: `f${attempt}`,
    at: Date.parse('2026-10-20T10:00:02Z') + days * day,
    invoice_id: `${ada.team_id} end`,
    attempt,
  });
  const after = (days: number) => Date.parse('2026-10-20T10:00:01Z') + days * day;
  const retry = (days: number): BillingEvent => ({ name: 'retry_due', id: `r${days}`, at: after(days) });
  await ada.live(failed(1, 0), retry(1), failed(2, 1), retry(3), failed(3, 3), retry(5), failed(4, 5));
  await ada.live({ name: 'grace_over', id: 'g', at: after(7) });
  const { invoices } = await ada.api.invoices.list({});
  const note = invoices.find(({ kind }) => kind === 'credit_note')!;
  const taken = invoices.find(({ status }) => status === 'taken_back')!;
  assert.deepEqual([note.status, note.amount, note.corrects, taken.corrected_by], ['credited', -264.87, taken.id, note.id]);
  const shown = await readPdf((await world.pdfOf(ada, note.id)).bytes);
  assert.match(shown.text, new RegExp(`Takes back invoice\\s+${taken.id}`));
  for (const says of ['Credit note', '-$264.87', '-$123.45', 'VAT 19 %', 'No longer due', `takes the whole invoice ${taken.id} back`])
    assert.ok(shown.text.includes(says), `${says} is missing in ${shown.text}`);
  const back = await readPdf((await world.pdfOf(ada, taken.id)).bytes);
  assert.match(back.text, new RegExp(`Taken back by ${note.id}`));
  assert.match(back.text, /Do not pay it/);
  await ada.live({ name: 'month_closed', id: 'oct', at: after(13), month: '2026-10', quantities: usage });
  await ada.live({ name: 'usage_due', id: 'due', at: after(60) });
  const [owed] = (await ada.api.invoices.list({ limit: 1 })).invoices;
  assert.deepEqual([owed!.status, owed!.text, owed!.period_start], ['open', 'Usage of 2026-09, 2026-10', null]);
  await ada.live({ ...failed(1, 61), invoice_id: `${ada.team_id} due`, id: 'fu' } as BillingEvent, {
    name: 'debt_written_off',
    id: 'w',
    at: after(62),
  });
  assert.equal((await ada.api.invoices.get({ id: owed!.id })).status, 'written_off');
});

test('a smaller plan gives a credit note onto the balance, and a switch to a larger one an invoice with both lines', async () => {
  const ada = await world.someone();
  await ada.live(
    { name: 'select', id: 'sel', at: start, plan: 'starter' },
    pay(ada.team_id, 'sel', { at: start, cents: 3451 }),
    { name: 'switch', id: 'up', at: start + 15 * day, plan: 'pro' },
    pay(ada.team_id, 'up', { at: start + 15 * day, cents: 4165 }),
    { name: 'switch', id: 'down', at: start + 15 * day + 1000, plan: 'starter' },
  );
  const { invoices } = await ada.api.invoices.list({});
  assert.deepEqual(
    invoices.map(({ text, amount, status }) => [text, amount, status]),
    [
      ['Switch from Pro to Starter', -35, 'credited'],
      ['Switch from Starter to Pro', 41.65, 'paid'],
      ['Starter plan', 34.51, 'paid'],
    ],
  );
  const { text } = await readPdf((await world.pdfOf(ada, invoices[0]!.id)).bytes);
  assert.match(text, /Added to your credit\s+\$35\.00/);
  assert.match(text, /will be deducted from your next invoices before tax/);
  const upgrade = await readPdf((await world.pdfOf(ada, invoices[1]!.id)).bytes);
  assert.match(upgrade.text, /Unused time on Starter\s+-\$14\.50/);
  assert.match(upgrade.text, /Remaining time on Pro\s+\$49\.50/);
});

test('the list is paged newest first, and the file has all of it: RFC 4180, with formulas made harmless', async () => {
  const ada = await world.someone(0);
  await world.sql`insert into billing_buyers (team_id, buyer) values (${ada.team_id}, ${world.sql.json({ name: '=cmd|" /C calc"!A0\nx, y' })})`;
  const bill = { lines: [], sum_cents: -5, credit_cents: -5, tax_cents: 0, total_cents: 0, prepaid_cents: 0, due_cents: 0 };
  for (let n = 0; n < 7; n += 1)
    await world.sql`
      insert into billing_documents (id, number, team_id, kind, at, bill, tax_basis_points, seller, buyer)
      select ${`page ${n}`}, ${910_000 + n}, team_id, 'credit_note', now(), ${world.sql.json(bill)}, 0, '{}', buyer from billing_buyers
      where team_id = ${ada.team_id}`;
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await ada.api.invoices.list({ limit: 3, ...(cursor ? { cursor } : {}) });
    seen.push(...page.invoices.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor);
  assert.deepEqual(
    seen,
    [6, 5, 4, 3, 2, 1, 0].map((n) => `PD-91000${n}`),
  );
  await assert.rejects(ada.api.invoices.list({ cursor: "1' or 1=1" }), { code: 'cursor_invalid' });
  const file = await ada.api.invoices.export();
  const lines = file.split('\r\n');
  assert.equal(lines.length, 9, 'a head, seven documents, and the last end of a line');
  assert.match(lines[0] ?? '', /^id,kind,created_at,text,/);
  assert.match(
    lines[1] ?? '',
    /^PD-910006,credit_note,[^,]+,Nothing,,,-0\.05,0\.00,0\.00,USD,credited,,,"'=cmd\|"" \/C calc""!A0\nx, y",$/,
  );
});

test('nobody finds the invoices of another team, and a key none at all', async () => {
  const [ada, bob] = [await world.renewed(), await world.someone()];
  const [open] = (await ada.api.invoices.list({})).invoices;
  assert.deepEqual((await bob.api.invoices.list({})).invoices, []);
  assert.equal((await bob.api.invoices.export()).split('\r\n').length, 2);
  await assert.rejects(bob.api.invoices.get({ id: open!.id }), { code: 'invoice_not_found' });
  await assert.rejects(bob.api.invoices.pdf({ id: open!.id }), { code: 'invoice_not_found' });
  await assert.rejects(bob.api.invoices.get({ id: 'PD-999999999999999' }), { code: 'invoice_not_found' });
  await assert.rejects(bob.api.invoices.get({ id: '../x' }), { code: 'input_invalid' });
});

test('billing details begin with the account, are checked field by field, and change later invoices alone', async () => {
  const ada = await world.someone();
  assert.deepEqual(await ada.api.invoices.details(), {
    name: 'Ada',
    email: ada.email,
    address: [],
    postal_code: '',
    city: '',
    country: '',
    tax_id: '',
  });
  const wrong: [Partial<BillingDetails>, string][] = [
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ email: 'not an address' }, 'email'],
    [{ email: 'a@b.example\nBcc: c@d.example' }, 'email'],
    [{ address: ['1', '2', '3', '4', '5'] }, 'address'],
    [{ address: ['two\nlines'] }, 'address.0'],
    [{ country: 'de' }, 'country'],
    [{ country: 'ZZ' }, 'country'],
    [{ tax_id: '<script>' }, 'tax_id'],
    [{ tax_id: '4242 4242-42424242' }, 'tax_id'],
  ];
  for (const [part, path] of wrong)
    await assert.rejects(ada.api.invoices.setDetails({ ...details, ...part }), (error: { code: string; errors: { path: string }[] }) => {
      assert.deepEqual([error.code, error.errors[0]?.path], ['input_invalid', path], JSON.stringify(part));
      return true;
    });
  assert.deepEqual(await ada.api.invoices.setDetails(details), details);
  await ada.live({ name: 'select', id: 's', at: start, plan: 'pro' }, pay(ada.team_id, 's', { at: start, cents: 11_781 }));
  await ada.api.invoices.setDetails({ ...details, name: 'Another name' });
  const [paid] = (await ada.api.invoices.list({})).invoices;
  assert.equal((await ada.api.invoices.get({ id: paid!.id })).buyer.name, 'Grace Hopper Ltd');
  assert.equal((await ada.api.invoices.details()).name, 'Another name');
});
