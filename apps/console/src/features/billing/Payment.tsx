import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { subscriptionQuery } from './queries.ts';

const PaymentBanner = lazy(() => import('./PaymentBanner.tsx').then((module) => ({ default: module.PaymentBanner })));

/** Shows an outstanding payment on every page. Usually there is none, and then its code is not loaded. */
export function Payment() {
  const { data } = useQuery(subscriptionQuery);
  if (!data?.payment) return null;
  return (
    <Suspense fallback={null}>
      <PaymentBanner state={data} payment={data.payment} />
    </Suspense>
  );
}
