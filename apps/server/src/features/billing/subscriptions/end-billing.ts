import type { Account } from '@paddock/billing';
import type { Tx } from '../../../db/connect.ts';
import type { Log } from '../../../log.ts';
import type { ApplyEventInTx } from './apply-event.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { AccountStore } from './store.ts';

interface Deps {
  store: AccountStore;
  outbox: OutboxStore;
  applyEventInTx: ApplyEventInTx;
  log: Log;
  now: () => Date;
}
export type EndBilling = (tx: Tx, team_id: string) => Promise<void>;

/**
 * Ends the subscription of a team that is being deleted, in that transaction: open invoices are written off, their payments voided, and the provider
 * is asked to delete the customer. Invoices and ledger stay. The account stays for a while, too: money that still arrives is refunded.
 */
export function createEndBilling({ store, outbox, applyEventInTx, log, now }: Deps): EndBilling {
  return async (tx, team_id) => {
    const at = now().getTime();
    const ended = await applyEventInTx(tx, team_id, {
      event: ({ account: { status } }) => {
        if (status === 'owing') return { id: `deleted ${at}`, at, name: 'debt_written_off' };
        return status === 'none' || status === 'cancelling' ? undefined : { id: `deleted ${at}`, at, name: 'cancel' };
      },
    });
    if (!ended || ended.row.gone_at !== null) return;
    const { row } = ended;
    if (row.account.prepaid_cents > 0) log.warn({ team_id, cents: row.account.prepaid_cents }, 'deleted team has prepaid credit left');
    if (row.account.anchor !== null) await store.endSpan(tx, team_id, at);
    await store.write(tx, { ...row, account: withoutPlan(row.account), subscription_id: null, gone_at: now().toISOString() }, null);
    await outbox.forgetCustomers(tx, team_id, now());
  };
}

/** The account on the free plan permanently; usage that is not invoiced yet is waived. */
const withoutPlan = (account: Account): Account => ({
  ...account,
  status: 'none',
  plan: null,
  anchor: null,
  period: 0,
  switches: 0,
  wanted: null,
  open: null,
  usage: [],
});
