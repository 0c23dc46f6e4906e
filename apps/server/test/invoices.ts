import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, type BillingEvent, newAccount, step } from '@paddock/billing';
import type { Sql } from '../src/db/connect.ts';

const run = promisify(execFile);

export interface Terms {
  tax_basis_points: number;
  seller: object;
}

/** Lives a team's events on the arithmetic of billing, and writes what comes of them as the engine does, without asking any provider. */
export function scriptOf(sql: Sql, team_id: string, { tax_basis_points, seller }: Terms) {
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

/** The text of a PDF as a reader copies it, and how many pages it has. */
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

/** The text without the spaces and signs of direction that a PDF's reader puts in. */
export const closeUp = (text: string) => text.replace(/[\s\p{Bidi_Control}]+/gu, '');
