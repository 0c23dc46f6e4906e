import type { BillingState } from '@paddock/contract';
import { plans } from '@paddock/contract/plans';
import { Badge } from '../../../ui/feedback/Badge.tsx';

/** Active is a success; everything else is plain (spec, section 4). */
export const SubscriptionBadge = ({ status }: { status: 'active' | 'past_due' }) =>
  status === 'active' ? (
    <Badge tone="success" glyph="disc">
      Active
    </Badge>
  ) : (
    <Badge tone="neutral" glyph="triangle">
      Past due
    </Badge>
  );

/** Shown beside the title: the plan, its status, and whether the provider is in test mode. */
export const PlanStatus = ({ state: { subscription, is_test } }: { state: BillingState }) => (
  <span className="flex flex-wrap items-center gap-2.5">
    {subscription ? `${plans[subscription.plan].name} plan` : 'Free plan'}
    {subscription ? <SubscriptionBadge status={subscription.status} /> : null}
    {is_test ? (
      <Badge tone="warning" glyph="triangle">
        Test mode: no money moves
      </Badge>
    ) : null}
  </span>
);
