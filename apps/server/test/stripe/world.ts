import { createLog } from '../../src/log.ts';
import type { Charge } from '../../src/payments/provider.ts';
import { stripeProvider } from '../../src/payments/stripe/stripe-provider.ts';
import { databaseOf } from '../payments.ts';
import { startStripe } from './stand-in.ts';

/** A provider with a stand-in for Stripe, with a team whose card is saved, and all log output. */
export async function stripeWorld(t: { after: (end: () => Promise<unknown>) => unknown }, { timeoutMs = 5_000 } = {}) {
  const stripe = await startStripe(t);
  const sql = await databaseOf(t);
  let logged = '';
  const log = createLog('debug', { write: (line) => void (logged += line) });
  /** Creates a provider like a server after a restart: only the database is left. */
  const start = () => stripeProvider(stripe.settings, { sql, log, timeoutMs });
  const provider = start();
  const team_id = 'team_ada';
  const customer_id = await provider.customer({ team_id, name: 'Ada', email: 'ada@example.com' });
  const payerWith = async (card: string) => {
    const { id } = await provider.attach({ team_id, customer_id }, card);
    return { team_id, customer_id, payment_method_id: id };
  };
  const charge = (attempt = 1, cents = 9_900): Charge => ({
    key: `inv_1 ${attempt}`,
    invoice_id: 'inv_1',
    attempt,
    cents,
    text: 'Pro',
  });
  const paid = { team_id, invoice_id: 'inv_1' };
  return { stripe, sql, log, start, provider, team_id, customer_id, payerWith, charge, paid, logged: () => logged };
}
