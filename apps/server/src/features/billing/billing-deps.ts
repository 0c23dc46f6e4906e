import type { PaymentProvider } from '../../payments/provider.ts';
import type { ApplyEvent } from './account/apply-event.ts';
import type { AccountStore, Terms } from './account/store.ts';
import type { NoticeStore } from './notices/store.ts';
import type { DeliverAndWait } from './payments/deliver-and-wait.ts';
import type { PaymentMethods } from './payments/payment-methods.ts';
import type { UpdatePayment } from './payments/provider-events.ts';

/** Dependencies of the billing routes. */
export interface BillingDeps {
  store: AccountStore;
  notices: NoticeStore;
  methods: PaymentMethods;
  provider: PaymentProvider;
  handle: ApplyEvent;
  handOverNow: DeliverAndWait;
  news: UpdatePayment;
  terms: () => Terms;
  publicUrl: string;
  now: () => Date;
}
