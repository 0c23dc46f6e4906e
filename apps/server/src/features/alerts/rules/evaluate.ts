import { type AlertRuleName, alertRuleNames } from '@paddock/contract';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import { type AgentRuleName, judgeModelCost, judges, type Measured, type Verdict } from './judge.ts';
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
  deployment_id?: string;
  severity: 'warning' | 'critical';
  title: string;
  message: string;
  lasting: true;
}
export interface AlertsOfRules {
  raise(team_id: string, alert: NewAlert): Promise<void>;
  clear(team_id: string, cause: Cause): Promise<void>;
  listUncleared(rules: readonly string[]): Promise<{ team_id: string; project_id: string; rule: string }[]>;
}

export interface EvaluateParts {
  store: Pick<AlertRuleStore, 'readSettings' | 'projects'>;
  /** The measurements of every agent that serves production now. */
  watch: () => Promise<Agent[]>;
  /** Cost of each production project's model calls since the UTC day began, in dollars, including agents that no longer serve. */
  modelCosts: () => Promise<Map<string, number>>;
  alerts: AlertsOfRules;
  log: Log;
}

const agentRules = Object.keys(judges) as AgentRuleName[];

/**
 * Evaluates every rule of every agent, and the cost of every project's model calls. An alert stays open while its cause lasts, and is closed
 * automatically; so is an alert whose rule was switched off, or whose agent no longer serves.
 */
export function createEvaluator({ store, watch, modelCosts, alerts, log }: EvaluateParts) {
  const eachAgent = createIsolatedLoop(log, 'evaluating the alert rules of an agent');
  const eachProject = createIsolatedLoop(log, 'evaluating the model cost of a project');
  return async () => {
    const [agents, open] = [await watch(), await alerts.listUncleared(alertRuleNames)];
    const opened = new Set(open.map(({ project_id, rule }) => `${project_id} ${rule}`));
    const present = new Map(agents.map((agent) => [agent.project_id, agent]));
    let settingOf = await store.readSettings([...present.keys()]);

    async function judge(about: Pick<Agent, 'team_id' | 'project_id'> & { deployment_id?: string }, rule: AlertRuleName, by: Judging) {
      const { team_id, project_id, deployment_id } = about;
      const cause = { rule, environment: 'production', project_id } as const;
      const { is_on, threshold } = settingOf(project_id, rule);
      const verdict = is_on ? by(threshold) : ({ is: 'cleared' } as const);
      if (verdict.is === 'raised') {
        const { severity, title, message } = verdict;
        await alerts.raise(team_id, { ...cause, ...(deployment_id ? { deployment_id } : {}), severity, title, message, lasting: true });
      } else if (verdict.is === 'cleared' && opened.has(`${project_id} ${rule}`)) await alerts.clear(team_id, cause);
    }

    await eachAgent(
      agents,
      ({ deployment_id }) => deployment_id,
      async (agent) => {
        for (const rule of agentRules) await judge(agent, rule, (threshold) => judges[rule](agent, threshold));
      },
    );
    await eachAgent(
      open.filter(({ project_id, rule }) => rule !== 'model_cost' && !present.has(project_id)),
      ({ project_id }) => project_id,
      ({ team_id, project_id, rule }) => alerts.clear(team_id, { rule, environment: 'production', project_id }),
    );

    const costs = await modelCosts();
    const over = open.filter(({ rule }) => rule === 'model_cost').map(({ project_id }) => project_id);
    const projects = await store.projects([...new Set([...costs.keys(), ...over])]);
    settingOf = await store.readSettings(projects.map(({ project_id }) => project_id));
    await eachProject(
      projects,
      ({ project_id }) => project_id,
      ({ name, ...project }) => {
        const cost_usd = costs.get(project.project_id) ?? 0;
        const deployment_id = present.get(project.project_id)?.deployment_id;
        const about = { ...project, ...(deployment_id ? { deployment_id } : {}) };
        return judge(about, 'model_cost', (threshold) => judgeModelCost({ name, cost_usd }, threshold));
      },
    );
  };
}

type Judging = (threshold: number) => Verdict;
