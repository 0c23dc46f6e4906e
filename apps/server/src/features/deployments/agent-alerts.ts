import type { Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { pagesOf } from '../../jobs/pages.ts';
import { withoutOutput } from './run/last-error.ts';

/** Data of an alert about an environment's agent. The alerts feature fits this type. */
export interface AgentAlert {
  rule: 'deployment_failed' | 'agent_crash_loop';
  project_id: string;
  environment: Environment;
  deployment_id: string;
  severity: 'info' | 'warning' | 'critical';
  title: string;
  message: string;
  lasting?: boolean;
}
export interface AlertsOfAgents {
  raise(tx: Tx, team_id: string, alert: AgentAlert): Promise<void>;
  /** Clears the alerts of older deployments of the environment. */
  clearOlder(tx: Tx, deployment_id: string): Promise<void>;
}
export const noAlerts: AlertsOfAgents = { raise: async () => undefined, clearOlder: async () => undefined };

/** Crashes within 10 minutes after which an agent counts as crash looping. */
export const crashesAlerted = 3;
const maxMessageLength = 1000;

interface AlertSubject {
  id: string;
  team_id: string;
  project_id: string;
  name: string;
  environment: Environment;
  /** Whether another deployment serves the environment. */
  is_served: boolean;
}

/** Alerts about agents. Each one is raised in the transaction that moves the deployment. */
export const agentAlerts = (alerts: AlertsOfAgents) => ({
  /** Call after the deployment became `failed`. `message` is its error message; the agent's own output is left out of alerts and mails. */
  async failed(tx: Tx, id: string, { stage, message }: { stage: string; message: string }) {
    const about = await readAlertSubject(tx, id);
    if (!about) return;
    const gaveUp = stage === 'active';
    const left = about.is_served ? 'The deployment before it serves on.' : 'Nothing serves this environment now.';
    await alerts.raise(tx, about.team_id, {
      ...placed(about),
      rule: gaveUp ? 'agent_crash_loop' : 'deployment_failed',
      severity: severity(about, about.is_served ? 'warning' : 'critical'),
      title: gaveUp ? `${about.name} is not restarted any more` : `A deployment of ${about.name} failed`,
      message: `${withoutOutput(message).slice(0, maxMessageLength)} ${left}`,
    });
  },

  /** Call after a crash was recorded, the `crashes`th within 10 minutes. */
  async crashed(tx: Tx, id: string, { crashes, how }: { crashes: number; how: string }) {
    if (crashes < crashesAlerted) return;
    const about = await readAlertSubject(tx, id);
    if (!about) return;
    await alerts.raise(tx, about.team_id, {
      ...placed(about),
      rule: 'agent_crash_loop',
      severity: severity(about, 'warning'),
      title: `${about.name} keeps crashing`,
      message: `The agent in ${about.environment} ${how}: crash ${crashes} within 10 minutes. It is restarted; after the fifth it is given up. Look at its log for the cause.`,
      lasting: true,
    });
  },

  clearOlder: alerts.clearOlder,
});
export type AgentAlerts = ReturnType<typeof agentAlerts>;

interface OpenAlerts {
  uncleared(rule: AgentAlert['rule'], after: string, limit: number): Promise<string[]>;
  clearDeployments(rule: AgentAlert['rule'], ids: string[]): PromiseLike<unknown>;
}

/** Alerts per page. */
const alertsAtOnce = 500;

/** Clears alerts of agents that stopped crashing: up for 10 minutes, or ended on purpose. */
export const resolveAgentAlerts = (sql: Sql, alerts: OpenAlerts) => async () => {
  const deployments = pagesOf((after, limit) => alerts.uncleared('agent_crash_loop', after, limit), alertsAtOnce);
  for await (const ids of deployments) await clearCalm(sql, alerts, ids);
};

async function clearCalm(sql: Sql, alerts: OpenAlerts, ids: string[]): Promise<void> {
  const calm = await sql<{ id: string }[]>`
    select id
    from deployments d
    where id = any(${ids})
      and (
        status in ('stopped', 'completed')
        or (
          status = 'active'
          and restart_at is null
          and not exists (
            select 1
            from unnest(d.restart_times) t
            where t > now() - interval '10 minutes'
          )
        )
      )`;
  if (calm.length)
    await alerts.clearDeployments(
      'agent_crash_loop',
      calm.map((row) => row.id),
    );
}

async function readAlertSubject(tx: Tx, id: string): Promise<AlertSubject | undefined> {
  const [row] = await tx<AlertSubject[]>`
    select
      d.id, d.team_id, d.project_id, p.name, d.environment,
      exists (
        select 1
        from deployments o
        where o.project_id = d.project_id
          and o.environment = d.environment
          and o.is_current
          and o.id <> d.id
      ) as is_served
    from deployments d
    join projects p on p.id = d.project_id
    where d.id = ${id}
      and p.deleting_at is null`;
  return row;
}

const placed = ({ id, project_id, environment }: AlertSubject) => ({ deployment_id: id, project_id, environment });

/** Previews are for experiments: their alerts appear in the console and send no mail. */
const severity = ({ environment }: AlertSubject, inProduction: 'warning' | 'critical') =>
  environment === 'preview' ? 'info' : inProduction;
