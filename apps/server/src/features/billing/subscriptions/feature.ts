import type { Core, Feature } from '../../../core.ts';
import type { PaymentProvider } from '../../../payments/provider.ts';
import { type ApplyEvent, createApplyEvent } from './apply-event.ts';
import { closeMonthsJob, type MeteredUsage } from './close-months.ts';
import { createEndBilling, type EndBilling } from './end-billing.ts';
import { jobStore } from './job-store.ts';
import { deadlineJob, paymentPollJob, providerChangeJob, writeOffJob } from './jobs.ts';
import { noticeStore } from './notice-store.ts';
import { createNotifier } from './notices.ts';
import { createDeliverAndWait, createOutbox, type DeliverOutbox, outboxJobs } from './outbox.ts';
import { outboxStore } from './outbox-store.ts';
import { paymentMethods } from './payment-methods.ts';
import { createPaymentUpdater, createWebhookHandler, type HandleWebhookEvent } from './provider-events.ts';
import { billingRoutes } from './routes.ts';
import { accountStore, customerStore, type Terms } from './store.ts';

type Deps = Pick<Core, 'sql' | 'log' | 'sendMail'> & { config: Pick<Core['config'], 'publicUrl'> };
interface FeatureDeps {
  provider: PaymentProvider;
  /** Seller and tax rate. */
  terms: () => Terms;
  usage: MeteredUsage;
  now?: (() => Date) | undefined;
}
interface Exports {
  applyEvent: ApplyEvent;
  deliverOutbox: DeliverOutbox;
  onWebhookEvent: HandleWebhookEvent;
  /** Ends the subscription of a team, in the transaction that deletes it. */
  end: EndBilling;
}

/** Plans, their charges, and the results of the charges. packages/billing decides; this feature stores, and calls the provider. */
export function billingFeature(
  { sql, log, sendMail, config }: Deps,
  { provider, terms, usage, now = () => new Date() }: FeatureDeps,
): Feature<Exports> {
  const store = accountStore(sql);
  const customers = customerStore(sql, provider.id);
  const notices = noticeStore(sql);
  const outbox = outboxStore(sql);
  const jobs = jobStore(sql);
  const notify = createNotifier({ notices, store, sendMail });
  const { applyEvent, applyEventInTx } = createApplyEvent({ store, outbox, customers, terms, notify, provider, now });
  const updatePayment = createPaymentUpdater({ applyEvent, log, now });
  const deliverOutbox = createOutbox({ outbox, customers, provider, updatePayment, log, now });
  const deliverAndWait = createDeliverAndWait({ store, outbox, deliverOutbox, now });
  const methods = paymentMethods(customers, provider);
  const deps = { store, notices, outbox, jobs, methods, provider, applyEvent, deliverOutbox, updatePayment, log, now };
  return {
    routes: [billingRoutes({ ...deps, deliverAndWait, terms, publicUrl: config.publicUrl })],
    jobs: [
      ...outboxJobs(deps),
      { name: 'billing.change-provider', everySeconds: 15, run: providerChangeJob(deps) },
      { name: 'billing.ring', everySeconds: 15, run: deadlineJob(deps) },
      { name: 'billing.look', everySeconds: 5, run: paymentPollJob(deps) },
      { name: 'billing.write-off', everySeconds: 30, run: writeOffJob(deps) },
      { name: 'billing.close-months', everySeconds: 300, run: closeMonthsJob({ ...deps, usage }) },
      { name: 'billing.sweep', everySeconds: 86_400, run: () => Promise.all([jobs.sweep(), notices.sweep()]) },
    ],
    exports: {
      applyEvent,
      deliverOutbox,
      onWebhookEvent: createWebhookHandler(deps),
      end: createEndBilling({ store, outbox, applyEventInTx, log, now }),
    },
  };
}
