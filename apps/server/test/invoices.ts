import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BillingEvent, documentId } from '@paddock/billing';
import type { BillingDetails } from '@paddock/contract';
import type { Sql } from '../src/db/connect.ts';
import { createApplyEvent } from '../src/features/billing/subscriptions/apply-event.ts';
import { noticeStore } from '../src/features/billing/subscriptions/notice-store.ts';
import { createNotifier } from '../src/features/billing/subscriptions/notices.ts';
import { outboxStore } from '../src/features/billing/subscriptions/outbox-store.ts';
import { accountStore, customerStore, type Terms } from '../src/features/billing/subscriptions/store.ts';
import { atEnd } from './postgres.ts';
import { startApi } from './server.ts';
import { teamOf } from './team-of.ts';

const run = promisify(execFile);

/** Applies events of a team. The provider is not called: its results are events too. */
function eventsOf(sql: Sql, team_id: string, terms: Terms) {
  const store = accountStore(sql);
  const { applyEvent } = createApplyEvent({
    store,
    outbox: outboxStore(sql),
    customers: customerStore(sql, 'test'),
    terms: () => terms,
    notify: createNotifier({ notices: noticeStore(sql), store, sendMail: async () => undefined }),
    provider: { id: 'test', pollAfterMs: 60_000 },
    now: () => new Date(start),
  });
  return async (...events: BillingEvent[]): Promise<void> => {
    for (const event of events) {
      const applied = await applyEvent(team_id, { event: () => event });
      if (!applied || applied.refused !== undefined) throw new Error(`${event.name} was refused: ${applied?.refused}`);
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
  return { name: 'payment_succeeded', id: `p${payments}`, at, invoice_id: documentId(team_id, of), payment_id: `pay${payments}`, cents };
};
export const usage = { compute: 3600n * 1234n + 1800n, bandwidth: 2_500_000_000n, storage: 0n };

/** A server, with people whose events are applied by `live`. */
export async function invoiceWorld() {
  const world = await startApi({ after: atEnd });
  async function someone(tax_basis_points = 1900) {
    const person = await world.person();
    const team_id = await teamOf(world.sql, person);
    const live = eventsOf(world.sql, team_id, { tax_basis_points, seller });
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
