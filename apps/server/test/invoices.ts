import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, type BillingEvent, newAccount, step } from '@paddock/billing';
import type { BillingDetails } from '@paddock/contract';
import type { Sql } from '../src/db/connect.ts';
import { atEnd } from './postgres.ts';
import { startApi } from './server.ts';

const run = promisify(execFile);

interface Terms {
  tax_basis_points: number;
  seller: object;
}

/** Applies a team's events to the billing computation, and writes the outcomes like the engine, without calling a provider. */
function scriptOf(sql: Sql, team_id: string, { tax_basis_points, seller }: Terms) {
  let account: Account = newAccount(team_id);
  const json = (value: unknown) =>
    sql.json(JSON.parse(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part))));
  return async (...events: BillingEvent[]): Promise<void> => {
    for (const event of events) {
      const outcome = step(account, event, { tax_basis_points });
      if ('refused' in outcome) throw new Error(`${event.name} was refused: ${outcome.refused}`);
      account = outcome.account;
      await sql.begin(async (tx) => {
        for (const { id, kind, at, bill, corrects } of outcome.documents)
          await tx`
            with given as (update billing_numbers set last = last + 1 returning last)
            insert into billing_documents (id, number, team_id, kind, at, bill, corrects, tax_basis_points, seller, buyer)
            select ${id}, last, ${team_id}, ${kind}, ${new Date(at).toISOString()}, ${json(bill)}, ${corrects}, ${tax_basis_points}, ${json(seller)},
              coalesce((select buyer from billing_buyers where team_id = ${team_id}), '{"name": "Ada"}')
            from given`;
        for (const { id, kind, at, postings } of outcome.entries)
          await tx`
            insert into billing_entries (team_id, id, kind, at, postings)
            values (${team_id}, ${id}, ${kind}, ${new Date(at).toISOString()}, ${json(postings)})`;
        await tx`
          insert into billing_accounts (team_id, status, account)
          values (${team_id}, ${account.status}, ${json(account)})
          on conflict (team_id) do update set status = excluded.status, account = excluded.account`;
      });
    }
  };
}

/** The text of a PDF as a reader copies it, and its number of pages. */
export async function readPdf(bytes: Uint8Array): Promise<{ text: string; pages: number; info: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-pdf-'));
  const file = join(folder, 'a.pdf');
  try {
    await writeFile(file, bytes);
    const [{ stdout: text }, { stdout: info }] = await Promise.all([run('pdftotext', ['-layout', file, '-']), run('pdfinfo', [file])]);
    return { text, pages: Number(/^Pages:\s+(\d+)/m.exec(info)?.[1]), info };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The text without the spaces and direction marks that a PDF reader inserts. */
export const closeUp = (text: string) => text.replace(/[\s\p{Bidi_Control}]+/gu, '');

export const seller = {
  name: 'Acme Hosting GmbH',
  address: ['Hauptstraße 1', '10115 Berlin'],
  email: 'hello@acme.example',
  tax_id: 'DE1',
  tax_label: 'VAT',
  is_test: true,
};
export const details: BillingDetails = {
  name: 'Grace Hopper Ltd',
  email: 'books@hopper.example',
  address: ['1 Harbour Road'],
  postal_code: 'EC1A 1BB',
  city: 'London',
  country: 'GB',
  tax_id: 'GB 123',
};
export const day = 86_400_000;
export const start = Date.parse('2026-09-20T10:00:00Z');

let payments = 0;
export const pay = (team_id: string, of: string, { at, cents }: { at: number; cents: number }): BillingEvent => {
  payments += 1;
  return { name: 'payment_succeeded', id: `p${payments}`, at, invoice_id: `${team_id} ${of}`, payment_id: `pay${payments}`, cents };
};
export const usage = { compute: 3600n * 1234n + 1800n, bandwidth: 2_500_000_000n, storage: 0n };

/** A server, with people whose events are applied by `live`. */
export async function invoiceWorld() {
  const world = await startApi({ after: atEnd });
  async function someone(tax_basis_points = 1900) {
    const person = await world.person();
    const [{ team_id }] = await world.sql<[{ team_id: string }]>`
      select team_id from team_members join users u on u.id = user_id where u.email = ${person.email}`;
    const live = scriptOf(world.sql, team_id, { tax_basis_points, seller });
    return { ...person, team_id, live };
  }
  /** On Pro since September, with that month's usage on the October invoice, which is unpaid. */
  async function renewed() {
    const ada = await someone();
    await ada.api.invoices.setDetails(details);
    await ada.live(
      { name: 'select', id: 'sel', at: start, plan: 'pro' },
      pay(ada.team_id, 'sel', { at: start + 1000, cents: 11_781 }),
      { name: 'month_closed', id: 'm', at: start + 11 * day, month: '2026-09', quantities: usage },
      { name: 'period_ended', id: 'end', at: Date.parse('2026-10-20T10:00:01Z') },
    );
    return ada;
  }

  async function pdfOf({ token }: { token: string }, id: string) {
    const answer = await fetch(`${world.origin}/api/v1/billing/invoices/${id}/pdf`, { headers: { authorization: `Bearer ${token}` } });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { answer, bytes };
  }
  return { ...world, someone, renewed, pdfOf };
}
