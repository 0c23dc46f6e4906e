import type { BillingState, Subscription } from '@paddock/contract';
import { freePlan, plans } from '@paddock/contract/plans';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { useCancel } from '../queries.ts';
import { dateText, messages, methodText, priceText } from '../words.ts';
import { Facts } from './Facts.tsx';
import { PendingCancellation } from './PendingCancellation.tsx';
import { SubscriptionBadge } from './PlanStatus.tsx';

/** The current plan: its price, until when it is paid, and how to cancel. */
export function CurrentSubscription({ state: { subscription, payment_method, credit } }: { state: BillingState }) {
  const cancel = useCancel();
  const press = () =>
    window.confirm(formatQuestion(subscription)) &&
    cancel.mutate(undefined, {
      onSuccess: (after) =>
        toast.success(
          after.subscription
            ? 'Subscription cancelled. You will retain access until the end of your billing period.'
            : 'Subscription cancelled. You are on the free plan.',
        ),
      onError: () => toast.error(messages.cancel),
    });
  return (
    <Card title="Current Subscription" aside={subscription ? <SubscriptionBadge status={subscription.status} /> : null}>
      {subscription ? (
        <div className="max-w-110">
          <Facts
            of={[
              ['Plan', plans[subscription.plan].name],
              ['Monthly price', priceText(plans[subscription.plan].price_cents / 100)],
              ['Next billing date', subscription.cancel_at_period_end ? 'None' : dateText(subscription.current_period_end)],
              ['Payment method', payment_method ? methodText(payment_method) : 'None'],
              ...(credit > 0 ? [['Credit for your next invoices', priceText(credit)] as const] : []),
            ]}
          />
        </div>
      ) : (
        <p className="max-w-text">You’re on the free plan: {freePlan.features.join(', ')}. Select a plan to get more.</p>
      )}
      {subscription?.cancel_at_period_end ? <PendingCancellation end={subscription.current_period_end} /> : null}
      <div className="mt-3 flex flex-wrap gap-2.5">
        {subscription && !subscription.cancel_at_period_end ? (
          <Button variant="danger" busy={cancel.isPending} onClick={press}>
            Cancel Subscription
          </Button>
        ) : null}
        <ButtonLink to="/settings" search={{ tab: 'billing' }}>
          Update Payment Method
        </ButtonLink>
      </div>
      <div className="has-[p]:mt-2">
        <FormError>{failureText(cancel.error, messages.cancel)}</FormError>
      </div>
    </Card>
  );
}

/** Cancelling an unpaid period ends it at once. */
const formatQuestion = (subscription: Subscription | null) =>
  `Are you sure you want to cancel your subscription? ${
    subscription?.status === 'past_due'
      ? 'The current billing period is unpaid, so you will lose access immediately.'
      : 'You will lose access at the end of the current billing period.'
  }`;
