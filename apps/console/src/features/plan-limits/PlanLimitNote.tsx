import { type LimitKind, limitText } from '@paddock/contract/plans';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { planLimitsQuery } from './queries.ts';

/** Says that a limit of the plan will refuse what the form asks for, before anything is typed. Says nothing while it is not known. */
export function PlanLimitNote({ kind, children }: { kind: LimitKind; children?: ReactNode }) {
  const { data } = useQuery(planLimitsQuery);
  if (!data?.binding || !data[kind].reached) return null;
  // The address is for those who read the sentence elsewhere.
  const [said, rest] = limitText(kind, { plan: data.plan, ...data[kind] }).split('Billing (/billing)');
  return (
    <Banner tone="warning">
      {said}
      {rest === undefined ? null : (
        <>
          <Link to="/billing" className="underline">
            Billing
          </Link>
          {rest}
        </>
      )}{' '}
      {children}
    </Banner>
  );
}
