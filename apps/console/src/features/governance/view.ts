import type { AuditFilter } from '@paddock/contract';
import { auditActionTypes } from '@paddock/contract/audit-kinds';
import { filled } from '../../api/filled.ts';
import type { governanceSearch } from './search.ts';

/** What the address says, as it was written. */
export type GovernanceView = { [Name in keyof ReturnType<typeof governanceSearch>]: ReturnType<typeof governanceSearch>[Name] | undefined };

/** Changes the address; without `replace` the way back leads to what was shown before. */
export type Go = (change: GovernanceView, how?: { replace?: boolean }) => void;

export const isTraceId = (given: string | undefined): given is string => given !== undefined && /^[0-9a-f]{32}$/.test(given);

/** A moment in UTC. An address may say anything. */
export const isMoment = (given: string | undefined): given is string =>
  given !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(given) && !Number.isNaN(Date.parse(given));

/** The filters of the address as the API takes them. What the API would refuse is left out. */
export function filterOf({ q, agent, type, status, from, to, user, trace }: GovernanceView): AuditFilter {
  return filled({
    search: q,
    agent,
    action_type: auditActionTypes.find((each) => each === type),
    status,
    date_from: isMoment(from) ? from : undefined,
    date_to: isMoment(to) ? to : undefined,
    user,
    trace_id: isTraceId(trace) ? trace : undefined,
  });
}

export const unfiltered = {
  q: undefined,
  agent: undefined,
  type: undefined,
  status: undefined,
  from: undefined,
  to: undefined,
  user: undefined,
  trace: undefined,
} as const satisfies GovernanceView;

export const isFiltered = (view: GovernanceView) => Object.keys(filterOf(view)).length > 0;

/** The tab that is shown: what is open above one names it, too. */
export function tabOf({ tab, framework, control, review, policy, request, open }: GovernanceView) {
  if (framework || control || review) return 'compliance';
  if (request || open === 'request') return 'data-governance';
  return policy || open === 'new' || open === 'edit' ? 'policies' : (tab ?? 'audit-trail');
}
