import type { PaymentProvider } from '../../payments/provider.ts';
import type { Handle } from './account/handle.ts';
import type { AccountStore, Terms } from './account/store.ts';
import type { NoticeStore } from './notices/store.ts';
import type { TakeNews } from './payments/news.ts';
import type { PaymentMethods } from './payments/payment-methods.ts';
import type { HandOverAndWait } from './payments/wait.ts';

/** What the calls are made of. */
export interface BillingParts {
  store: AccountStore;
  notices: NoticeStore;
  methods: PaymentMethods;
  provider: PaymentProvider;
  handle: Handle;
  handOverNow: HandOverAndWait;
  news: TakeNews;
  terms: () => Terms;
  publicUrl: string;
  now: () => Date;
}
