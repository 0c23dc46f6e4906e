import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { subscriptionQuery } from './queries.ts';

const PaymentBanner = lazy(() => import('./PaymentBanner.tsx').then((module) => ({ default: module.PaymentBanner })));

/** Says on every page what is to be paid and is not yet. Mostly there is nothing, and then no code is fetched for it. */
export function Payment() {
  const { data } = useQuery(subscriptionQuery);
  if (!data?.payment) return null;
  return (
    <Suspense fallback={null}>
      <PaymentBanner state={data} payment={data.payment} />
    </Suspense>
  );
}
