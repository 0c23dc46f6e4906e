import { type LimitKind, limitText } from '@paddock/contract/plans';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { planLimitsQuery } from './queries.ts';

/** Warns, before anything is typed, that a limit of the plan will refuse the form. Empty while the limits are unknown. */
export function PlanLimitNote({ kind, children }: { kind: LimitKind; children?: ReactNode }) {
  const { data } = useQuery(planLimitsQuery);
  if (!data?.binding || !data[kind].reached) return null;
  // The console links the page instead of showing its path, which is meant for other clients.
  const { used, raised_by } = data[kind];
  const [beforeLink, afterLink] = limitText(kind, { plan: data.plan, used, raisedBy: raised_by }).split('Billing (/billing)');
  return (
    <Banner tone="warning">
      {beforeLink}
      {afterLink === undefined ? null : (
        <>
          <Link to="/billing" className="underline">
            Billing
          </Link>
          {afterLink}
        </>
      )}{' '}
      {children}
    </Banner>
  );
}
