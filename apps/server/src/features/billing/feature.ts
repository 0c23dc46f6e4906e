import type { Core, Feature } from '../../core.ts';
import type { PaymentProvider, WebhookEvent } from '../../payments/provider.ts';
import { type ApplyEvent, createApplyEvent } from './account/apply-event.ts';
import { createProviderChange } from './account/change-provider.ts';
import { createEndBilling, type EndBilling } from './account/end-billing.ts';
import { accountStore, type Terms } from './account/store.ts';
import { closeMonthsJob, type MeteredUsage } from './months/close-months.ts';
import { monthStore } from './months/store.ts';
import { createNotifier } from './notices/notifier.ts';
import { noticeStore } from './notices/store.ts';
import { customerStore } from './payments/customer-store.ts';
import { createDeliverAndWait } from './payments/deliver-and-wait.ts';
import { createOutbox, type DeliverOutbox } from './payments/outbox.ts';
import { outboxJobs } from './payments/outbox-jobs.ts';
import { outboxStore } from './payments/outbox-store.ts';
import { paymentMethods } from './payments/payment-methods.ts';
import { paymentPollJob } from './payments/payment-poll.ts';
import { pollStore } from './payments/poll-store.ts';
import { createPaymentUpdater } from './payments/provider-events.ts';
import { createWebhookHandler } from './payments/webhook-handler.ts';
import { billingRoutes } from './routes.ts';
import { sweepStore } from './sweep-store.ts';
import { deadlineStore } from './timers/deadline-store.ts';
import { deadlineJob } from './timers/deadlines.ts';
import { writeOffJob } from './timers/write-off.ts';
import { writeOffStore } from './timers/write-off-store.ts';

type Deps = Pick<Core, 'sql' | 'log' | 'sendMail'> & { config: Pick<Core['config'], 'publicUrl'> };
interface FeatureDeps {
  provider: PaymentProvider;
  /** Seller and tax rate. */
  terms: () => Terms;
  usage: MeteredUsage;
  now?: (() => Date) | undefined;
}
interface Exports {
  handle: ApplyEvent;
  handOver: DeliverOutbox;
  /** For webhooks: polls the subject of an event. */
  onHint: (hint: WebhookEvent) => Promise<void>;
  /** Ends the subscription of a team, in the transaction that deletes it. */
  end: EndBilling;
}

/** Plans, their charges, and the results of the charges. packages/billing decides; this feature stores, and calls the provider. */
export function billingFeature(
  { sql, log, sendMail, config }: Deps,
  { provider, terms, usage, now = () => new Date() }: FeatureDeps,
): Feature<Exports> {
  const store = accountStore(sql);
  const notices = noticeStore(sql);
  const orders = outboxStore(sql);
  const customers = customerStore(sql, provider.id);
  const { handle, within } = createApplyEvent({
    store,
    customers,
    terms,
    tell: createNotifier({ notices, store, sendMail }),
    provider,
    now,
  });
  const news = createPaymentUpdater({ handle, log, now });
  const handOver = createOutbox({ orders, customers, provider, news, log, now });
  const methods = paymentMethods(customers, provider);
  const ring = deadlineJob({ store: deadlineStore(sql), handle, handOver, log, now });
  const look = paymentPollJob({ store: pollStore(sql), provider, news, log, now });
  const closeMonths = closeMonthsJob({ store: monthStore(sql), usage, handle, handOver, log, now });
  return {
    routes: [
      billingRoutes({
        store,
        notices,
        methods,
        provider,
        handle,
        handOverNow: createDeliverAndWait({ store, orders, handOver, now }),
        news,
        terms,
        publicUrl: config.publicUrl,
        now,
      }),
    ],
    jobs: [
      ...outboxJobs({ orders, handOver, log, now }),
      { name: 'billing.change-provider', everySeconds: 15, run: createProviderChange({ store, handle, provider, log }) },
      { name: 'billing.ring', everySeconds: 15, run: ring },
      { name: 'billing.look', everySeconds: 5, run: look },
      { name: 'billing.write-off', everySeconds: 30, run: writeOffJob({ store: writeOffStore(sql), handle, handOver, log, now }) },
      { name: 'billing.close-months', everySeconds: 300, run: closeMonths },
      { name: 'billing.sweep', everySeconds: 86_400, run: () => Promise.all([sweepStore(sql).sweep(), notices.sweep()]) },
    ],
    exports: {
      handle,
      handOver,
      onHint: createWebhookHandler({ store, methods, provider, handle, handOver, news, now }),
      end: createEndBilling({ store, orders, within, log, now }),
    },
  };
}
