import type { Offered, Parts } from '../../parts.ts';
import type { Hint, PaymentProvider } from '../../payments/provider.ts';
import { changingProvider } from './account/change-provider.ts';
import { type EndBilling, endingBilling } from './account/end.ts';
import { type Handle, handling } from './account/handle.ts';
import { accountStore, type Terms } from './account/store.ts';
import { type ClosedUsage, closingMonths } from './months/close.ts';
import { monthStore } from './months/store.ts';
import { noticeStore } from './notices/store.ts';
import { telling } from './notices/tell.ts';
import { customerStore } from './payments/customer-store.ts';
import { type HandOver, handingOver } from './payments/hand-over.ts';
import { takingHints } from './payments/hints.ts';
import { orderJobs } from './payments/jobs.ts';
import { lookingAgain } from './payments/look-again.ts';
import { lookStore } from './payments/look-store.ts';
import { takingNews } from './payments/news.ts';
import { orderStore } from './payments/order-store.ts';
import { paymentMethods } from './payments/payment-methods.ts';
import { handingOverNow } from './payments/wait.ts';
import { billingRoutes } from './routes.ts';
import { sweepStore } from './sweep-store.ts';
import { dueStore } from './timers/due-store.ts';
import { ringing } from './timers/ring.ts';
import { writingOff } from './timers/write-off.ts';
import { writeOffStore } from './timers/write-off-store.ts';

type Own = Pick<Parts, 'sql' | 'log' | 'sendMail'> & { config: Pick<Parts['config'], 'publicUrl'> };
interface Needs {
  provider: PaymentProvider;
  /** Who sells at which tax. */
  terms: () => Terms;
  usage: ClosedUsage;
  now?: (() => Date) | undefined;
}
interface Gives {
  handle: Handle;
  handOver: HandOver;
  /** For webhooks: looks at what a hint is about. */
  onHint: (hint: Hint) => Promise<void>;
  /** Ends the subscription of a team, in the transaction that deletes it. */
  end: EndBilling;
}

/** Plans, what is charged for them, and what becomes of the charges. packages/billing decides; this writes, and asks the provider. */
export function billingFeature(
  { sql, log, sendMail, config }: Own,
  { provider, terms, usage, now = () => new Date() }: Needs,
): Offered<Gives> {
  const store = accountStore(sql);
  const notices = noticeStore(sql);
  const orders = orderStore(sql);
  const customers = customerStore(sql, provider.id);
  const { handle, within } = handling({ store, customers, terms, tell: telling({ notices, store, sendMail }), provider, now });
  const news = takingNews({ handle, log, now });
  const handOver = handingOver({ orders, customers, provider, news, log, now });
  const methods = paymentMethods(customers, provider);
  const ring = ringing({ store: dueStore(sql), handle, handOver, log, now });
  const look = lookingAgain({ store: lookStore(sql), provider, news, log, now });
  const closeMonths = closingMonths({ store: monthStore(sql), usage, handle, handOver, log, now });
  return {
    routes: [
      billingRoutes({
        store,
        notices,
        methods,
        provider,
        handle,
        handOverNow: handingOverNow({ store, orders, handOver, now }),
        news,
        terms,
        publicUrl: config.publicUrl,
        now,
      }),
    ],
    jobs: [
      ...orderJobs({ orders, handOver, log, now }),
      { name: 'billing.change-provider', everySeconds: 15, run: changingProvider({ store, handle, provider, log }) },
      { name: 'billing.ring', everySeconds: 15, run: ring },
      { name: 'billing.look', everySeconds: 5, run: look },
      { name: 'billing.write-off', everySeconds: 30, run: writingOff({ store: writeOffStore(sql), handle, handOver, log, now }) },
      { name: 'billing.close-months', everySeconds: 300, run: closeMonths },
      { name: 'billing.sweep', everySeconds: 86_400, run: () => Promise.all([sweepStore(sql).sweep(), notices.sweep()]) },
    ],
    gives: {
      handle,
      handOver,
      onHint: takingHints({ store, methods, provider, handle, handOver, news, now }),
      end: endingBilling({ store, orders, within, log, now }),
    },
  };
}
