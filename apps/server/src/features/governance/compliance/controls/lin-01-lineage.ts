import { plural } from '@paddock/contract/plural';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, unverifiedResult } from '../finding.ts';

/** Maximum traces per deployment, and deployments. */
const maxTraces = 500;
const maxDeployments = 500;
const minTracedShare = 0.99;

/** LIN-01: activity of the last day can be traced from the caller through the deployment to models and tools. */
export function lineageControl({ sql, now }: Pick<ControlDeps, 'sql' | 'now'>): Control {
  return {
    id: 'LIN-01',
    of: 'team',
    async check(team_id) {
      const [traced, live] = await Promise.all([loadTraced(sql, team_id, new Date(now() - dayMs).toISOString()), countLive(sql, team_id)]);
      const traces = traced.reduce((sum, one) => sum + one.traces, 0);
      const looked_at = `${plural(traces, 'trace')} of the last 24 hours, of ${plural(traced.length, 'deployment')} the newest 500 of each; ${plural(live, 'live deployment')}`;
      if (traces === 0 && live > 0)
        return unverifiedResult(looked_at, 'Something is deployed, and no trace was recorded within the last 24 hours.');
      return {
        looked_at,
        absence: 'Nothing is deployed, and no trace was recorded within the last 24 hours.',
        resources: traced.map(judge),
      };
    },
  };
}

function judge(one: TracedDeployment): ControlFinding {
  const { id, name, traces, resolved, without_caller, without_agent, without_model } = one;
  const subject = { type: 'deployment', id, name };
  const share = resolved / traces;
  const percent = `${(Math.floor(share * 1000) / 10).toLocaleString('en')} %`;
  const evidence = { traces, resolved, without_caller, without_agent, without_model, gaps: one.gaps };
  if (share >= minTracedShare)
    return passed(subject, `${percent} of ${plural(traces, 'trace')} lead from the caller to models and tools.`, evidence);
  const reasons = [
    without_caller > 0 ? `${plural(without_caller, 'trace')} without a request at the gateway` : '',
    without_agent > 0 ? `${plural(without_agent, 'trace')} of which the agent told nothing` : '',
    without_model > 0 ? `${plural(without_model, 'trace')} with a model that is not named` : '',
  ].filter(Boolean);
  return failed(
    subject,
    `Only ${percent} of ${plural(traces, 'trace')} of ${name} lead from the caller to models and tools: ${reasons.join(', ')}.`,
    {
      evidence,
      fix: {
        text: 'Instrument the agent as the guide to traces says, so that it goes on with the traceparent of each request and names its models.',
        path: `/deployments/${id}`,
      },
    },
  );
}

interface TracedDeployment {
  id: string;
  name: string;
  traces: number;
  resolved: number;
  /** Traces recorded by the agent, but neither by the gateway nor in the audit trail. */
  without_caller: number;
  /** Traces without spans from the agent. */
  without_agent: number;
  /** Traces with a model call that names no model. */
  without_model: number;
  /** Examples of unresolved traces. */
  gaps: string[];
}

const loadTraced = (sql: Sql, team_id: string, since: string) => sql<TracedDeployment[]>`
  select
    d.id, p.name || ' (' || d.environment || ')' as name,
    count(*)::int as traces,
    count(*) filter (where r.caller and r.agent and not r.unnamed)::int as resolved,
    count(*) filter (where not r.caller)::int as without_caller,
    count(*) filter (where not r.agent)::int as without_agent,
    count(*) filter (where r.unnamed)::int as without_model,
    coalesce((array_agg(r.trace_id) filter (where not (r.caller and r.agent and not r.unnamed)))[1:5], '{}') as gaps
  from (
    select id, project_id, environment
    from deployments
    where team_id = ${team_id}
      and deployed_at is not null
      and coalesce(ended_at, now()) > ${since}
    order by created_at desc, id desc
    limit ${maxDeployments}
  ) d
  join projects p on p.id = d.project_id
  cross join lateral (
    select
      t.trace_id,
      -- Of many requests at once the gateway leaves spans out, and the audit trail has them all.
      bool_or(s.origin = 'gateway') or exists (
        select 1
        from audit_records a
        where a.team_id = ${team_id}
          and a.trace_id = t.trace_id
      ) as caller,
      bool_or(s.origin = 'agent') as agent,
      bool_or(s.type in ('model', 'embedding') and s.model is null) as unnamed
    from (
      select deployment_id, trace_id
      from traces
      where deployment_id = d.id
        and started_at > ${since}
      order by started_at desc, trace_id desc
      limit ${maxTraces}
    ) t
    join spans s on s.deployment_id = t.deployment_id and s.trace_id = t.trace_id
    group by t.trace_id
  ) r
  where p.team_id = ${team_id}
    and p.deleting_at is null
  group by d.id, p.name, d.environment
  order by d.id`;

/** Live web agents, which should produce traces as soon as they get requests. */
async function countLive(sql: Sql, team_id: string): Promise<number> {
  const [row] = await sql<[{ live: number }]>`
    select count(*)::int as live
    from deployments d
    where d.team_id = ${team_id}
      and d.status = 'active'`;
  return row.live;
}
