import { databaseOf } from '../../../test/payments.ts';
import { startStripe } from '../../../test/stripe/stand-in.ts';
import { createLog } from '../../log.ts';
import { paymentProviderSuite } from '../provider.suite.ts';
import { stripeProvider } from './stripe-provider.ts';

paymentProviderSuite('stripe', async (t) => {
  const sql = await databaseOf(t);
  const stripe = await startStripe(t);
  const log = createLog('silent');
  return {
    provider: stripeProvider(stripe.settings, { sql, log }),
    beside: stripeProvider(stripe.settings, { sql: await databaseOf(t, sql), log }),
    moved: async (team_id) => stripe.books.moved(team_id),
    visit: async (url, outcome) => void (await stripe.visit(`${url}/${outcome}`)),
  };
});
