import { type AlertRuleName, healthOf, healthScoreText } from '@paddock/contract';
import { beyondText, countText, dollarText, latencyText, percentText, shareText } from '@paddock/contract/figures';

/** What was measured of an agent, over whole minutes. */
export interface Measured {
  name: string;
  /** Of the last five minutes. */
  requests: number;
  failed: number;
  p95_ms: number | null;
  /** Of the last fifteen. */
  quarter: { requests: number; failed: number; avg_latency_ms: number | null; uptime_percentage: number | null };
  /** For how long it could not answer although it should have; 0 while it can, or is not meant to. */
  down_minutes: number;
  /** Lack of memory ended it so often within the last ten minutes. */
  out_of_memory: number;
  /** For how long it could have answered and nobody asked. */
  quiet_minutes: number;
}

export type Verdict =
  | { is: 'raised'; severity: 'warning' | 'critical'; title: string; message: string }
  | { is: 'cleared' }
  | { is: 'left' };

/** Below so many requests in five minutes a share says nothing. */
const fewRequests = 20;
/** An alert closes only when the figure is well on the other side, so that one around the threshold does not flap. */
const wellBelow = 0.8;
const wellAbove = 1.1;

const atStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const cleared: Verdict = { is: 'cleared' };
const left: Verdict = { is: 'left' };

/** A project's own; all others judge an agent. */
export type AgentRuleName = Exclude<AlertRuleName, 'model_cost'>;

/** Decides one rule about one agent. `left`: whatever is, stays; also where too little is known. */
export const judges: Record<AgentRuleName, (measured: Measured, threshold: number) => Verdict> = {
  error_rate({ name, requests, failed }, threshold) {
    if (requests === 0) return cleared;
    if (requests < fewRequests) return left;
    const share = failed / requests;
    if (share < threshold * wellBelow) return cleared;
    if (share <= threshold) return left;
    return {
      is: 'raised',
      severity: share > 0.5 ? 'critical' : 'warning',
      title: `${name} answers with errors`,
      message: `${atStart(beyondText(share, threshold, shareText))} of ${countText(requests)} requests failed within five minutes; the rule allows ${shareText(threshold)}. Its log tells why.`,
    };
  },

  p95_latency({ name, requests, p95_ms }, threshold) {
    if (requests === 0) return cleared;
    if (requests < fewRequests || p95_ms === null) return left;
    if (p95_ms < threshold * wellBelow) return cleared;
    if (p95_ms <= threshold) return left;
    return {
      is: 'raised',
      severity: 'warning',
      title: `${name} is slow`,
      message: `One of twenty requests took longer than ${latencyText(p95_ms)} within five minutes; the rule allows ${latencyText(threshold)}.`,
    };
  },

  health_score({ name, quarter }, threshold) {
    const health = healthOf({ ...quarter, error_rate: quarter.requests > 0 ? quarter.failed / quarter.requests : null });
    if (!health || health.score > threshold * wellAbove) return cleared;
    if (health.score >= threshold) return left;
    return {
      is: 'raised',
      severity: 'warning',
      title: `${name} is not well`,
      message: `Its health score was ${healthScoreText(health.score)} of 100 in the last 15 minutes, lowered most by ${health.lowered_by}; the rule wants ${threshold}. Uptime ${percentText(quarter.uptime_percentage)}, ${latencyText(quarter.avg_latency_ms)} on average.`,
    };
  },

  agent_down({ name, down_minutes }, threshold) {
    if (down_minutes === 0) return cleared;
    if (down_minutes < threshold) return left;
    return {
      is: 'raised',
      severity: 'critical',
      title: `${name} is down`,
      message: `It has not been able to answer for ${Math.floor(down_minutes)} minutes. Look at its deployments and its log.`,
    };
  },

  out_of_memory({ name, out_of_memory }, threshold) {
    if (out_of_memory === 0) return cleared;
    if (out_of_memory < threshold) return left;
    const times = out_of_memory === 1 ? 'once' : `${out_of_memory} times`;
    return {
      is: 'raised',
      severity: 'warning',
      title: `${name} ran out of memory`,
      message: `It needed more memory than it may have and was restarted, ${times} within ten minutes. Have it use less, or the operator allow more (PADDOCK_AGENT_MEMORY_MB).`,
    };
  },

  no_requests({ name, quiet_minutes }, threshold) {
    if (quiet_minutes < threshold) return cleared;
    return {
      is: 'raised',
      severity: 'warning',
      title: `Nobody asks ${name}`,
      message: `It was reachable for ${Math.floor(quiet_minutes)} minutes but received no requests. Its callers may be using an old address.`,
    };
  },
};

/** Decides what a project's model calls may cost in a day. A day's cost only rises, so nothing flaps. */
export function judgeModelCost({ name, cost_usd }: { name: string; cost_usd: number }, threshold: number): Verdict {
  if (cost_usd <= threshold) return cleared;
  return {
    is: 'raised',
    severity: 'warning',
    title: `The model calls of ${name} cost more than planned`,
    message: `They cost ${beyondText(cost_usd, threshold, dollarText)} today (UTC); the rule allows ${dollarText(threshold)} a day. The metrics tell which agent and model. This closes when the day is over, or when the rule allows more.`,
  };
}
