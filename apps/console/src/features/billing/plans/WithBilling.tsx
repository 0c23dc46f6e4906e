import type { BillingState } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { DelayedLoading } from '../../../ui/feedback/Skeleton.tsx';
import { subscriptionQuery } from '../queries.ts';
import { messages } from '../words.ts';

/** Renders its children once the subscription is loaded; until then a loading text or the error. */
export function WithBilling({ children }: { children: (state: BillingState) => ReactNode }) {
  const query = useQuery(subscriptionQuery);
  if (query.data) return children(query.data);
  return <Loaded query={query} failed={messages.billing} skeleton={<LoadingBilling />} />;
}

export const LoadingBilling = () => (
  <DelayedLoading label="Loading billing information...">
    <p className="text-muted">Loading billing information...</p>
  </DelayedLoading>
);
