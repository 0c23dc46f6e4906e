import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expectToast } from '../toasts.ts';
import { expect, open, test } from './console.ts';
import { json, problem, signedIn } from './scripted.ts';

test('invoices are listed with number, date, amount and status, and can be had as a PDF and as one file', async ({ demo: page }) => {
  await open(page, '/billing');
  await page.getByRole('tab', { name: 'Invoices & Payments' }).click();
  await page.waitForURL(/\?tab=invoices$/);
  await expect(page.getByRole('heading', { name: 'Invoice History' })).toBeVisible();
  const table = page.getByRole('table', { name: 'Invoice History' });
  await expect(table.getByRole('columnheader')).toHaveText(['Invoice ID', 'Date', 'For', 'Amount', 'Status', 'Actions']);
  const paid = table.getByRole('row').filter({ hasText: 'PD-000006' });
  await expect(paid).toContainText(/\d{1,2} [A-Z][a-z]{2,3} \d{4}/);
  const price = /\$\d[\d,]*\.\d\d/.exec((await paid.textContent()) ?? '')?.[0] ?? '';
  await expect(paid).toContainText(/Pro plan, usage of \d{4}-\d{2}/);
  await expect(paid).toContainText('Paid');
  const credit = table.getByRole('row').filter({ hasText: 'PD-000005' });
  const given = /-\$\d[\d,]*\.\d\d/.exec((await credit.textContent()) ?? '')?.[0] ?? '';
  expect([price, given].map((text) => text.length > 4)).toEqual([true, true]);
  await expect(credit).toContainText('Credited');

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PDF of PD-000006' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('PD-000006.pdf');
  const text = execFileSync('pdftotext', ['-layout', await file.path(), '-'], { encoding: 'utf8' });
  for (const says of ['Invoice PD-000006', 'no money was moved', 'Credit used', given, price]) expect(text).toContain(says);

  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
  expect((await readFile(await csv.path(), 'utf8')).split('\r\n')).toHaveLength(8);
});

test('billing details are saved, a wrong one says what is wrong, and nothing typed is lost', async ({ demo: page }) => {
  await open(page, '/billing?tab=invoices');
  const name = page.getByLabel('Name or company');
  await name.fill('');
  await page.getByLabel('City').fill('Łódź');
  await page.getByRole('button', { name: 'Save billing details' }).click();
  await expect(page.getByText('Whom invoices are made out to: a person or a company.').first()).toBeVisible();
  await expect(page.getByLabel('City')).toHaveValue('Łódź');
  await name.fill('Example Ltd');
  await page.getByLabel('Address').fill('Street 1\n\nFloor 2');
  await page.getByLabel('Country').selectOption({ label: 'Poland' });
  await page.getByRole('button', { name: 'Save billing details' }).click();
  await expectToast(page, 'Billing details saved');
  await expect(page.getByLabel('Address')).toHaveValue('Street 1\nFloor 2');
  await page.getByRole('tab', { name: 'Usage & Costs' }).click();
  await page.getByRole('tab', { name: 'Invoices & Payments' }).click();
  await expect(page.getByLabel('Country')).toHaveValue('PL');
});

const details = { name: 'Ada', email: 'ada@example.org', address: [], postal_code: '', city: '', country: '', tax_id: '' };

test('without invoices the page says so, and what cannot be loaded says that and comes with Retry', async ({ page, site }) => {
  let works = false;
  const refuse = problem(500, 'internal', 'Something went wrong on the server.');
  const empty = json({ invoices: [], next_cursor: null });
  await signedIn(
    page,
    { address: `${site.url}/billing?tab=invoices` },
    { 'GET /billing/invoices': (route) => (works ? empty(route) : refuse(route)), 'GET /billing/details': json(details) },
  );
  await expect(page.getByText('Something went wrong on the server.')).toBeVisible();
  await expect(page.getByText('No invoices yet')).toHaveCount(0);
  works = true;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No invoices yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export CSV' })).toHaveCount(0);
});

const invoice = {
  ...{
    id: 'PD-000042',
    kind: 'invoice',
    created_at: '2026-11-20T10:00:00.000Z',
    amount: 264.87,
    tax: 42.29,
    due: 264.87,
    status: 'taken_back',
  },
  ...{ text: 'Pro plan', period_start: null, period_end: null, corrects: null, corrected_by: 'PD-000043' },
};

test('a PDF of a server is saved byte by byte, and a failure is told beside its button', async ({ page, site }) => {
  const bytes = Buffer.from(Uint8Array.from({ length: 256 }, (_, index) => index));
  let asked = 0;
  const refuse = problem(503, 'invoice_pdf_failed', 'The PDF could not be made now.');
  await signedIn(
    page,
    { address: `${site.url}/billing?tab=invoices` },
    {
      'GET /billing/invoices': json({ invoices: [invoice], next_cursor: null }),
      'GET /billing/details': json(details),
      'GET /billing/invoices/PD-000042/pdf': (route) => {
        asked += 1;
        return asked === 1 ? refuse(route) : route.fulfill({ body: bytes, contentType: 'application/pdf' });
      },
    },
  );
  await expect(page.getByText('by PD-000043')).toBeVisible();
  await expect(page.getByText('Reversed')).toBeVisible();
  const button = page.getByRole('button', { name: 'Download PDF of PD-000042' });
  await button.click();
  await expect(page.getByText('The PDF could not be made now.')).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(await readFile(await file.path())).toEqual(bytes);
});
