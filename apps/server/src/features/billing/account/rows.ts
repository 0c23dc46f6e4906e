import type { Account } from '@paddock/billing';
import type { ProviderId } from '../../../payments/provider.ts';

/** The newest attempt of the newest payment, as reported by the provider. `running`: there is no result, or no request yet. */
export interface PaymentAttempt {
  invoice_id: string;
  attempt: number;
  state: 'running' | 'needs_confirmation' | 'declined' | 'paid';
  reason: string | null;
}
/** An account as it is stored, with fields outside the billing computation. */
export interface AccountRow {
  account: Account;
  subscription_id: string | null;
  payment: PaymentAttempt | null;
  gone_at: string | null;
  /** The provider through which it was paid; null: none yet. */
  provider: ProviderId | null;
}
