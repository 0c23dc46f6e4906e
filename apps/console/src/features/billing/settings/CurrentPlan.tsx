import type { BillingState } from '@paddock/contract';
import { plans } from '@paddock/contract/plans';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Facts } from '../plans/Facts.tsx';
import { PendingCancellation } from '../plans/PendingCancellation.tsx';
import { SubscriptionBadge } from '../plans/PlanStatus.tsx';
import { useCancel } from '../queries.ts';
import { dateText } from '../words.ts';

/** The current plan, its period, and buttons to switch or cancel it. */
export function CurrentPlan({ state: { subscription, current_period_start, current_period_end } }: { state: BillingState }) {
  const [asks, setAsks] = useState(false);
  const cancel = useCancel();
  const failed = failureText(cancel.error, 'Failed to cancel subscription');
  const close = () => {
    setAsks(false);
    cancel.reset();
  };
  const confirm = () =>
    cancel.mutate(undefined, {
      onSuccess: () => {
        toast.success('Subscription cancelled successfully');
        close();
      },
      onError: (error) => toast.error(failureText(error, 'Failed to cancel subscription') ?? ''),
    });
  if (!subscription)
    return (
      <Card title="Current Plan" aside={<Free />}>
        <p className="mb-3">You’re on the free plan</p>
        <ButtonLink variant="primary" to="/billing">
          Upgrade Now
        </ButtonLink>
      </Card>
    );
  const { plan, status, cancel_at_period_end } = subscription;
  const end = current_period_end ? dateText(current_period_end) : '';
  return (
    <Card
      title="Current Plan"
      aside={
        <Badge tone="info" glyph="disc">
          {plans[plan].name}
        </Badge>
      }
    >
      <Facts
        of={[
          ['Status', <SubscriptionBadge key="status" status={status} />],
          ['Current period starts', current_period_start ? dateText(current_period_start) : ''],
          [cancel_at_period_end ? 'Ends without renewal' : 'Current period ends', end],
        ]}
      />
      {cancel_at_period_end ? <PendingCancellation end={subscription.current_period_end} /> : null}
      <div className="mt-3 flex flex-wrap gap-2.5">
        <ButtonLink to="/billing">Change Plan</ButtonLink>
        {cancel_at_period_end ? null : (
          <Button variant="danger" onClick={() => setAsks(true)}>
            Cancel Subscription
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asks}
        onClose={close}
        title="Cancel the subscription?"
        confirmLabel="Cancel Subscription"
        onConfirm={confirm}
        danger
        busy={cancel.isPending}
        error={failed}
      >
        {status === 'past_due'
          ? 'The current period is unpaid, so the plan ends immediately. Agents and databases keep running.'
          : `The plan stays active until ${end} and does not renew. Until then, you can undo this here. Agents and databases keep running.`}
      </ConfirmDialog>
    </Card>
  );
}

const Free = () => (
  <Badge tone="neutral" glyph="square">
    Free
  </Badge>
);
