import type { Account } from '@paddock/billing';
import type { ProviderId } from '../../../payments/provider.ts';

/** The newest try of the newest payment, as the provider told it. `running`: it has not answered, or was not asked yet. */
export interface PaymentAttempt {
  invoice_id: string;
  attempt: number;
  state: 'running' | 'needs_confirmation' | 'declined' | 'paid';
  reason: string | null;
}
/** An account as it is stored, with what lies beside the arithmetic. */
export interface AccountRow {
  account: Account;
  subscription_id: string | null;
  payment: PaymentAttempt | null;
  gone_at: string | null;
  /** The provider that it was paid through; null: none yet. */
  provider: ProviderId | null;
}
