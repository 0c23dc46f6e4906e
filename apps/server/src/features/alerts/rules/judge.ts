import { type AlertRuleName, computeHealth, healthScoreText } from '@paddock/contract';
import { beyondText, countText, dollarText, latencyText, percentText, shareText } from '@paddock/contract/figures';

/** Measurements of an agent, over whole minutes. */
export interface Measured {
  name: string;
  /** Figures of the last five minutes. */
  requests: number;
  failed: number;
  p95_ms: number | null;
  /** Figures of the last fifteen minutes. */
  quarter: { requests: number; failed: number; avg_latency_ms: number | null; uptime_percentage: number | null };
  /** How long it was unable to respond although it should; 0 while it is able, or not expected to. */
  down_minutes: number;
  /** How often it was killed for lack of memory within the last ten minutes. */
  out_of_memory: number;
  /** How long it was able to respond but received no requests. */
  quiet_minutes: number;
}

export type Verdict =
  | { is: 'raised'; severity: 'warning' | 'critical'; title: string; message: string }
  | { is: 'cleared' }
  | { is: 'left' };

/** With fewer requests in five minutes a ratio is meaningless. */
const fewRequests = 20;
/** Hysteresis: an alert closes only when the figure is well on the other side, so that it does not flap around the threshold. */
const wellBelow = 0.8;
const wellAbove = 1.1;

const atStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const cleared: Verdict = { is: 'cleared' };
const left: Verdict = { is: 'left' };

/** Rules about agents; the model cost is a rule about a project. */
export type AgentRuleName = Exclude<AlertRuleName, 'model_cost'>;

/** Evaluates one rule for one agent. `left`: the alert's state is unchanged; also when too little is known. */
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
    const health = computeHealth({ ...quarter, error_rate: quarter.requests > 0 ? quarter.failed / quarter.requests : null });
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

/** Compares the cost of a project's model calls of a day. It only rises within a day, so the alert does not flap. */
export function judgeModelCost({ name, cost_usd }: { name: string; cost_usd: number }, threshold: number): Verdict {
  if (cost_usd <= threshold) return cleared;
  return {
    is: 'raised',
    severity: 'warning',
    title: `The model calls of ${name} cost more than planned`,
    message: `They cost ${beyondText(cost_usd, threshold, dollarText)} today (UTC); the rule allows ${dollarText(threshold)} a day. The metrics tell which agent and model. This closes when the day is over, or when the rule allows more.`,
  };
}
