import { type Contract, contract } from '@paddock/contract';
import { pluralWord } from '@paddock/contract/plural';
import type { PolicyRuleKind, RuleOfKind } from '@paddock/contract/policy-rules';
import { dayMs, hourMs } from '@paddock/contract/time';
import { hostIndex } from '@paddock/runtime';
import { changesTeam } from '../../../../audit/read-actions.ts';
import { isNamed } from '../deploy-guard.ts';
import { findAlertTimes } from '../failed-logins/alert-times.ts';
import { exceedsLifetime } from '../key-guard.ts';
import type { StoredStore } from './stored-store.ts';
import { lookbackDays, maxScanned, type RecordedDeployment, type TrailStore } from './trail-store.ts';

export interface EvaluatorDeps {
  trail: TrailStore;
  stored: StoredStore;
  /** Hosts of the agents' model calls, from the retained traces. */
  modelHosts: (team_id: string) => Promise<{ host: string | null; calls: number; last_seen: string; projects: string[] }[]>;
  /** Cost of models of the team's production agents per hour, the oldest first. */
  costsByHour: (team_id: string, days: number) => Promise<{ hour: string; usd: number }[]>;
}

export interface RuleResult {
  looked_at: string;
  /** Calls that would have been refused. */
  calls: { audit_id: string; at: string; what: string }[];
  /** Stored rows that would have been removed, or calls that are only counted. */
  rows: number;
  /** Examples of those rows or calls. */
  examples?: { at: string; what: string }[];
}

type Evaluator<Kind extends PolicyRuleKind> = (parts: EvaluatorDeps, team_id: string, rule: RuleOfKind<Kind>) => Promise<RuleResult>;

/** The evaluator of each kind of rule: what it would have refused or removed. */
export const evaluators: { [Kind in PolicyRuleKind]: Evaluator<Kind> } = {
  environments: (parts, team_id, { environments }) =>
    ofDeployments(parts, team_id, ({ environment }) => !environments.some((one) => one === environment)),

  database_modes: (parts, team_id, { modes }) =>
    ofDeployments(parts, team_id, ({ database_mode }) => !modes.some((one) => one === database_mode)),

  deployers: (parts, team_id, rule) =>
    ofDeployments(parts, team_id, ({ key_name, email }) => !isNamed(rule, { key_name, email: email ?? '' })),

  health_path: (parts, team_id) => ofDeployments(parts, team_id, ({ has_health }) => has_health === false),

  async budget({ costsByHour, ...parts }, team_id, { usd }) {
    const spent = spendingBefore(await costsByHour(team_id, lookbackDays + 1));
    const outcome = await ofDeployments({ costsByHour, ...parts }, team_id, ({ at }) => spent(at) > usd);
    return { ...outcome, looked_at: `${outcome.looked_at}, and what models had cost that day up to the hour before` };
  },

  async key_age({ trail }, team_id, { days }) {
    const [made, old] = [await trail.keysMade(team_id), await trail.callsByOldKeys(team_id, days)];
    const long = made.filter(({ expires_in_days }) => exceedsLifetime(days, expires_in_days));
    return {
      looked_at: `${counted(made.length, 'key')} made ${inDays}, and the calls of older keys that the audit trail has`,
      calls: [
        ...long.map((call) => ({
          ...call,
          what: `The API key ${call.name} was made (${call.action}) to live ${lifeText(call.expires_in_days)}`,
        })),
        ...old.map((call) => ({ ...call, what: `The API key ${call.name} made the call ${call.action} when it was older` })),
      ],
      rows: 0,
    };
  },

  async two_factor({ trail }, team_id) {
    const calls = await trail.changesWithoutSecondFactor(team_id, changes);
    return {
      looked_at: `Changes by people ${inDays} who have no second factor now`,
      calls: calls.map((call) => ({ ...call, what: `${call.action} by ${call.name}` })),
      rows: 0,
    };
  },

  // The use of sessions is not recorded.
  idle_sessions: async () => ({ looked_at: 'Nothing: when sessions were used is not on record', calls: [], rows: 0 }),

  async failed_logins({ trail }, team_id, { count }) {
    const failed = await trail.failedSignIns(team_id);
    const alerts = findAlertTimes(failed, count);
    return {
      looked_at: `${counted(failed.length, 'failed sign-in')} ${inDays}; each counted one would have opened an alert`,
      calls: alerts.map((call) => ({ ...call, what: `Sign-in ${count} within an hour failed for ${call.name ?? 'a deleted account'}` })),
      rows: 0,
    };
  },

  async redact({ trail }, team_id, { types }) {
    const saved = await trail.protectionSaved(team_id);
    const allowing = saved.filter(({ rules }) => types.some((type) => rules?.[type]?.action === 'allow'));
    return {
      looked_at: `${counted(saved.length, 'change')} of data protection ${inDays}`,
      calls: allowing.map((call) => ({ ...call, what: `Settings of ${call.name ?? 'a project'} allowed it` })),
      rows: 0,
    };
  },

  async hosts({ modelHosts }, team_id, { which, hosts }) {
    const called = (await modelHosts(team_id)).flatMap(({ host, ...one }) => (host === null ? [] : [{ host, ...one }]));
    const { allows } = hostIndex([{ effect: which, hosts }]);
    const refused = called.filter(({ host }) => !allows(host));
    return {
      looked_at: `${counted(called.length, 'host')} at which agents called models, as far as traces are kept; what else agents call is not on record`,
      calls: [],
      rows: refused.reduce((sum, { calls }) => sum + calls, 0),
      examples: refused.map(({ host, calls, last_seen, projects }) => ({
        at: last_seen,
        what: `${calls} ${pluralWord(calls, 'call')} of ${host} by ${projects.join(', ')}`,
      })),
    };
  },

  async retention({ stored }, team_id, { data, days }) {
    let rows = 0;
    for (const one of data) rows += await stored.olderThan(team_id, one, days);
    return {
      looked_at: `What is stored now of ${data.join(', ')} and older than ${days === 1 ? 'a day' : `${days} days`}`,
      calls: [],
      rows,
    };
  },
};

async function ofDeployments(
  { trail }: EvaluatorDeps,
  team_id: string,
  isRefused: (one: RecordedDeployment) => boolean,
): Promise<RuleResult> {
  const made = await trail.deployments(team_id);
  return {
    looked_at: `${counted(made.length, 'deployment')} ${inDays}`,
    calls: made.filter(isRefused).map((one) => ({ ...one, what: whatOf(one) })),
    rows: 0,
  };
}

const whatOf = ({ action, name, environment, database_mode }: RecordedDeployment) =>
  `${action} of ${name ?? 'an archive'} to ${environment ?? 'an environment'} with database mode ${database_mode ?? 'unknown'}`;

/** The spending of a day before the hour of a given time. */
function spendingBefore(costs: readonly { hour: string; usd: number }[]): (at: string) => number {
  const hours = costs.map(({ hour, usd }) => ({ ms: Date.parse(hour), usd }));
  return (at) => {
    const ms = Date.parse(at);
    const [fromMs, untilMs] = [Math.floor(ms / dayMs) * dayMs, Math.floor(ms / hourMs) * hourMs];
    return hours.reduce((sum, { ms, usd }) => sum + (ms >= fromMs && ms < untilMs ? usd : 0), 0);
  };
}

/** Actions of the calls for which a person needs a second factor. */
const changes = [
  ...new Set(
    Object.values(contract as Contract)
      .flatMap((group) => Object.values(group))
      .filter(changesTeam)
      .map(({ audit }) => audit as string),
  ),
];

const inDays = `in the last ${lookbackDays} days`;
const lifeText = (days: number | null) => (days === null ? 'for ever' : `${days} days`);
const counted = (count: number, what: string) => `${count >= maxScanned ? `The newest ${maxScanned}` : count} ${pluralWord(count, what)}`;
