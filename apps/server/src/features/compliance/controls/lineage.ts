import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { countGrouped, dayMs, failed, passed, unverifiedResult } from '../finding.ts';
import { lineageStore, type TracedDeployment } from './lineage-store.ts';

const minTracedShare = 0.99;

/** LIN-01: activity of the last day can be traced from the caller through the deployment to models and tools. */
export function lineageControl({ sql, now }: Pick<ControlDeps, 'sql' | 'now'>): Control {
  const store = lineageStore(sql);
  return {
    id: 'LIN-01',
    of: 'team',
    async check(team_id) {
      const [traced, live] = await Promise.all([store.traced(team_id, new Date(now() - dayMs).toISOString()), store.live(team_id)]);
      const traces = traced.reduce((sum, one) => sum + one.traces, 0);
      const looked_at = `${countGrouped(traces, 'trace')} of the last 24 hours, of ${countGrouped(traced.length, 'deployment')} the newest 500 of each; ${countGrouped(live, 'live deployment')}`;
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
    return passed(subject, `${percent} of ${countGrouped(traces, 'trace')} lead from the caller to models and tools.`, evidence);
  const reasons = [
    without_caller > 0 ? `${countGrouped(without_caller, 'trace')} without a request at the gateway` : '',
    without_agent > 0 ? `${countGrouped(without_agent, 'trace')} of which the agent told nothing` : '',
    without_model > 0 ? `${countGrouped(without_model, 'trace')} with a model that is not named` : '',
  ].filter(Boolean);
  return failed(
    subject,
    `Only ${percent} of ${countGrouped(traces, 'trace')} of ${name} lead from the caller to models and tools: ${reasons.join(', ')}.`,
    {
      evidence,
      fix: {
        text: 'Instrument the agent as the guide to traces says, so that it goes on with the traceparent of each request and names its models.',
        path: `/deployments/${id}`,
      },
    },
  );
}
