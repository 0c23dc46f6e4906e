import { type AlertRuleName, alertRuleNames } from '@paddock/contract';
import { eachOf } from '../../jobs/each.ts';
import type { Log } from '../../log.ts';
import { judges, type Measured } from './judge.ts';
import type { AlertRuleStore } from './store.ts';

export interface Agent extends Measured {
  team_id: string;
  project_id: string;
  deployment_id: string;
}
interface Cause {
  rule: string;
  environment: 'production';
  project_id: string;
}
interface NewAlert extends Cause {
  deployment_id: string;
  severity: 'warning' | 'critical';
  title: string;
  message: string;
  lasting: true;
}
export interface AlertsOfRules {
  raise(team_id: string, alert: NewAlert): Promise<void>;
  clear(team_id: string, cause: Cause): Promise<void>;
  unclearedOf(rules: readonly string[]): Promise<{ team_id: string; project_id: string; rule: string }[]>;
}

export interface EvaluateParts {
  store: Pick<AlertRuleStore, 'all'>;
  /** Every agent that serves production now, as it was measured. */
  watch: () => Promise<Agent[]>;
  alerts: AlertsOfRules;
  log: Log;
}

/**
 * Judges every rule of every agent. An alert stays open while its cause lasts, and closes by itself; so does one whose rule was switched off, or whose
 * agent does not serve any more.
 */
export function evaluating({ store, watch, alerts, log }: EvaluateParts) {
  const each = eachOf(log, 'judging an agent');
  return async () => {
    const [agents, settingOf, open] = [await watch(), await store.all(), await alerts.unclearedOf(alertRuleNames)];
    const opened = new Set(open.map(({ project_id, rule }) => `${project_id} ${rule}`));
    const present = new Set(agents.map(({ project_id }) => project_id));

    async function judge({ team_id, project_id, deployment_id, ...measured }: Agent, rule: AlertRuleName) {
      const cause = { rule, environment: 'production', project_id } as const;
      const { is_on, threshold } = settingOf(project_id, rule);
      const verdict = is_on ? judges[rule](measured, threshold) : ({ is: 'cleared' } as const);
      if (verdict.is === 'raised') {
        const { severity, title, message } = verdict;
        await alerts.raise(team_id, { ...cause, deployment_id, severity, title, message, lasting: true });
      } else if (verdict.is === 'cleared' && opened.has(`${project_id} ${rule}`)) await alerts.clear(team_id, cause);
    }

    await each(
      agents,
      ({ deployment_id }) => deployment_id,
      async (agent) => {
        for (const rule of alertRuleNames) await judge(agent, rule);
      },
    );
    await each(
      open.filter(({ project_id }) => !present.has(project_id)),
      ({ project_id }) => project_id,
      ({ team_id, project_id, rule }) => alerts.clear(team_id, { rule, environment: 'production', project_id }),
    );
  };
}
