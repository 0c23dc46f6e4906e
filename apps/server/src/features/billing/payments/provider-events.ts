import type { BillingEvent } from '@paddock/billing';
import type { Log } from '../../../log.ts';
import type { PaymentStatus } from '../../../payments/provider.ts';
import type { ApplyEvent } from '../account/apply-event.ts';

export interface PaymentRef {
  team_id: string;
  invoice_id: string;
}
export type UpdatePayment = (about: PaymentRef, news: PaymentStatus) => Promise<void>;

interface Deps {
  handle: ApplyEvent;
  log: Log;
  now: () => Date;
}

/**
 * Applies the provider's payment states. They may arrive late, twice and in any order: their keys, and the number of the attempt, distinguish them.
 */
export function createPaymentUpdater({ handle, log, now }: Deps): UpdatePayment {
  return async (about, news) => {
    const reason = news.state === 'declined' ? { reason: news.reason } : {};
    const handled = await handle(about.team_id, {
      ...reason,
      event: ({ open }) => toBillingEvent(about, news, { at: now().getTime(), attempt: open?.id === about.invoice_id ? open.attempt : 0 }),
    });
    if (handled === undefined) log.error({ ...about, news }, 'payment of an unknown team changed; check it at the provider');
    else if (handled.refused !== undefined)
      log.error({ ...about, news, refused: handled.refused }, 'payment does not match the request; check it at the provider');
  };
}

/** Undefined for a state that decides nothing. */
function toBillingEvent(
  { invoice_id }: PaymentRef,
  news: PaymentStatus,
  { at, attempt }: { at: number; attempt: number },
): BillingEvent | undefined {
  switch (news.state) {
    case 'paid':
      return { id: `paid ${news.payment_id}`, at, name: 'payment_succeeded', invoice_id, payment_id: news.payment_id, cents: news.cents };
    case 'declined':
      return { id: `declined ${news.attempt} ${invoice_id}`, at, name: 'payment_failed', invoice_id, attempt: news.attempt };
    case 'needs_confirmation':
      return {
        id: `unconfirmed ${news.attempt} ${invoice_id}`,
        at,
        name: 'payment_needs_confirmation',
        invoice_id,
        attempt: news.attempt,
      };
    case 'void':
      // If this is the open invoice, its payment was cancelled on the provider's side: no attempt can succeed.
      return attempt === 0 ? undefined : { id: `void ${attempt} ${invoice_id}`, at, name: 'payment_failed', invoice_id, attempt };
    default:
      return undefined;
  }
}
