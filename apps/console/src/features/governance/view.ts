import type { AuditFilter } from '@paddock/contract';
import { auditActionTypes } from '@paddock/contract/audit-kinds';
import { filled } from '../../api/filled.ts';
import type { governanceSearch } from './search.ts';

/** The parameters of the address, unvalidated. */
export type GovernanceView = { [Name in keyof ReturnType<typeof governanceSearch>]: ReturnType<typeof governanceSearch>[Name] | undefined };

/** Changes the address; with `replace: false`, Back returns to the previous view. */
export type Go = (change: GovernanceView, how?: { replace?: boolean }) => void;

export const isTraceId = (given: string | undefined): given is string => given !== undefined && /^[0-9a-f]{32}$/.test(given);

/** Whether a parameter is a moment in UTC. An address may contain anything. */
export const isMoment = (given: string | undefined): given is string =>
  given !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(given) && !Number.isNaN(Date.parse(given));

/** The filters of the address in the API's format. Values that the API would refuse are left out. */
export function toAuditFilter({ q, agent, type, status, from, to, user, trace }: GovernanceView): AuditFilter {
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

export const isFiltered = (view: GovernanceView) => Object.keys(toAuditFilter(view)).length > 0;

/** The shown tab; an open dialog implies its tab. */
export function resolveTab({ tab, framework, control, review, policy, request, open }: GovernanceView) {
  if (framework || control || review) return 'compliance';
  if (request || open === 'request') return 'data-governance';
  return policy || open === 'new' || open === 'edit' ? 'policies' : (tab ?? 'audit-trail');
}
