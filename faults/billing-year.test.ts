import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { balances, type Entry, findImbalances, nextDeadline, periodAt } from '@paddock/billing';
import { dayMs } from '@paddock/contract/time';
import { billFrom } from '../apps/server/src/features/billing/subscriptions/account-json.ts';
import { sized } from '../scripts/test/size.ts';
import { liveYear, type Year } from './billing/year.ts';

/** PADDOCK_BILLING_SEED=… node --test faults/billing-year.test.ts repeats the year of a failed seed. */
const given = process.env.PADDOCK_BILLING_SEED;
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
/**
 * The year of one team has every kind of event: renewals, declines, outages and crashes. The seed differs from run to run, so the numbers
 * of documents and crashes are chance; with fewer than these the year would test little.
 */
const {
  teams,
  documents: minDocuments,
  crashes: minCrashes,
} = sized({
  short: { teams: 4, documents: 16, crashes: 6 },
  long: { teams: 12, documents: 60, crashes: 24 },
});
const kinds = ['compute', 'bandwidth', 'storage'] as const;

describe(`a year of ${teams} teams over PostgreSQL with declines, abandoned transactions and late, repeated and lost news (PADDOCK_BILLING_SEED=${seed})`, () => {
  let year: Year;
  before(async () => {
    year = await liveYear(seed, { teams });
  });
  after(() => year?.close());

  const entriesOf = async (): Promise<Entry[]> => {
    const rows = await year.sql<
      (Omit<Entry, 'at'> & { at: string })[]
    >`select team_id, id, kind, at, postings from billing_entries order by seq`;
    return rows.map((row) => ({ ...row, at: Date.parse(row.at) }));
  };
  const documentsOf = async (team_id: string) => {
    const rows = await year.sql<{ kind: string; bill: unknown }[]>`
      select kind, bill from billing_documents where team_id = ${team_id} order by number`;
    return rows.map(({ kind, bill }) => ({ kind, bill: billFrom(bill) }));
  };
  const spansOf = async (team_id: string) => {
    const rows = await year.sql<{ from_at: string; until_at: string | null }[]>`
      select from_at, until_at from billing_spans where team_id = ${team_id} order by from_at`;
    return rows.map((row) => ({ from: Date.parse(row.from_at), until: row.until_at === null ? null : Date.parse(row.until_at) }));
  };

  test('the year had subscriptions, documents and crashes', async () => {
    const [{ count }] = await year.sql<[{ count: number }]>`select count(*)::int as count from billing_documents`;
    assert.ok(count > minDocuments, `${count} documents`);
    assert.ok(year.crashes > minCrashes, `${year.crashes} crashes`);
  });

  test('the ledger is balanced after each entry, and is to the cent what the provider holds and the accounts say', async () => {
    const entries = await entriesOf();
    assert.deepEqual(findImbalances(entries), []);
    for (const { id } of year.teams) {
      const { account } = await year.read(id);
      const { cash, receivable, credit, prepaid } = balances(entries, id);
      const open = account.open && !account.open.is_draft ? account.open.bill.due_cents : 0;
      assert.deepEqual(
        { cash, receivable, credit: Math.abs(credit), prepaid: Math.abs(prepaid) },
        { cash: year.cash(id), receivable: open, credit: account.credit_cents, prepaid: account.prepaid_cents },
        id,
      );
    }
  });

  test('documents are numbered without gaps', async () => {
    const rows = await year.sql<{ number: number }[]>`select number from billing_documents order by number`;
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, index) => index + 1),
    );
  });

  test('each period of each subscription is invoiced once, in its order, and none that was in force is missing', async () => {
    for (const { id } of year.teams) {
      const invoices = (await documentsOf(id)).filter(({ kind }) => kind === 'invoice');
      const invoiced = invoices.flatMap(({ bill }) => bill.lines.filter(({ kind }) => kind === 'plan').map(({ period }) => period!.start));
      let at = 0;
      for (const { from, until } of await spansOf(id)) {
        let n = 0;
        while (invoiced[at] === periodAt(from, n).start) [at, n] = [at + 1, n + 1];
        const covered = periodAt(from, Math.max(0, n - 1)).end;
        // A period that has passed, and that nobody cancelled, was renewed. An outage can only delay the renewal.
        const reached = until ?? year.now();
        assert.ok(n >= 1 && (covered >= reached || until !== null), `${id} from ${new Date(from).toISOString()}: ${n} periods`);
      }
      assert.equal(at, invoiced.length, `${id} has invoices for periods outside of its subscriptions`);
    }
  });

  test('usage on whole days of subscriptions is invoiced once, or waits for the next invoice', async () => {
    for (const { id } of year.teams) {
      const { account } = await year.read(id);
      const documents = await documentsOf(id);
      const expected = { compute: 0n, bandwidth: 0n, storage: 0n };
      const closed = (await year.usage.closedMonths()).at(-1)!;
      for (const { from, until } of await spansOf(id))
        for (let day = Math.ceil(from / dayMs) * dayMs; day + dayMs <= (until ?? Number.POSITIVE_INFINITY); day += dayMs) {
          if (new Date(day).toISOString().slice(0, 7) > closed) break;
          for (const kind of kinds) expected[kind] += year.usage.onDay(id, day)[kind];
        }
      for (const kind of kinds) {
        const parts = documents.flatMap(({ kind: type, bill }) =>
          bill.lines.filter((line) => line.kind === kind).map(({ quantity }) => (type === 'invoice' ? quantity! : -quantity!)),
        );
        const waiting = account.usage.map(({ quantities }) => quantities[kind]);
        assert.equal(
          [...parts, ...waiting].reduce((sum, part) => sum + part, 0n),
          expected[kind],
          `${kind} of ${id}`,
        );
      }
    }
  });

  test('nothing is forgotten: no timer is overdue, and each order was taken', async () => {
    const now = year.now();
    for (const { id } of year.teams) {
      const due = nextDeadline((await year.read(id)).account);
      assert.ok(due === undefined || due.at > now - dayMs, `${id}: ${due?.name}`);
    }
    const waiting = await year.sql`
      select key, last_error from billing_orders where taken_at is null and next_try_at < ${new Date(now - dayMs).toISOString()}`;
    assert.deepEqual([...waiting], []);
  });
});
