import type { BillingState } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureText, requestId } from '../../../api/failure.ts';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { DelayedLoading } from '../../../ui/feedback/Skeleton.tsx';
import { subscriptionQuery } from '../queries.ts';
import { messages } from '../words.ts';

/** Renders its children once the subscription is loaded; until then a loading text or the error. */
export function WithBilling({ children }: { children: (state: BillingState) => ReactNode }) {
  const { data, error, refetch, isFetching } = useQuery(subscriptionQuery);
  if (data) return children(data);
  if (error)
    return (
      <ErrorState
        message={failureText(error, messages.billing) ?? ''}
        requestId={requestId(error)}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  return (
    <DelayedLoading label="Loading billing information...">
      <p className="text-muted">Loading billing information...</p>
    </DelayedLoading>
  );
}
