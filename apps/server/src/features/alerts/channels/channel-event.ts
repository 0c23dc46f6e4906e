import type { Alert, Deployment } from '@paddock/contract';
import type { AgentUrl } from '../../../config/config.ts';
import { environmentLabel } from '../../../labels/host-labels.ts';

/** The row of an alert, as stored by the trigger of `alerts`. */
type AlertFacts = Omit<Alert, 'resolved' | 'snoozed_until'> & { team_id: string };
/** The fields of a deployment that the trigger of `moves` stores. */
type DeploymentFacts = Pick<Deployment, 'id' | 'project_name' | 'environment' | 'status' | 'agent_type' | 'error_message'> & {
  subdomain: string;
  reason: string;
};
export interface TestFacts {
  channel_id: string;
  channel_name: string;
}

type AlertEvent = 'alert.opened' | 'alert.resolved';
type DeploymentEvent = 'deployment.active' | 'deployment.failed' | 'deployment.stopped';
/** A union of one type for each event, so that the event determines its data. */
type Each<Event extends string, Facts> = Event extends string ? { event: Event; facts: Facts } : never;
type Saying<Event extends string, Data> = Event extends string ? { type: Event; data: Data } : never;

/** An event, as it was stored in the transaction of its cause. */
export type StoredEvent = Each<AlertEvent, AlertFacts> | Each<DeploymentEvent, DeploymentFacts> | Each<'channel.test', TestFacts>;

export interface DeploymentData extends Pick<Deployment, 'id' | 'project_name' | 'environment' | 'status' | 'url' | 'error_message'> {
  /** Why it moved: a code that docs/webhooks.md explains. */
  reason: string;
}
export type ChannelEventBody = Saying<AlertEvent, Alert> | Saying<DeploymentEvent, DeploymentData> | Saying<'channel.test', TestFacts>;

/** The event in the form for receivers. */
export function toEventBody(happened: StoredEvent, agentUrl: AgentUrl): ChannelEventBody {
  if (happened.event === 'alert.opened' || happened.event === 'alert.resolved')
    return { type: happened.event, data: alertData(happened.facts) };
  if (happened.event === 'channel.test') return { type: happened.event, data: happened.facts };
  return { type: happened.event, data: deploymentData(happened.facts, agentUrl) };
}

const alertData = (row: AlertFacts): Alert => ({
  id: row.id,
  deployment_id: row.deployment_id,
  database_id: row.database_id,
  project_name: row.project_name,
  severity: row.severity,
  message: row.message,
  created_at: isoOf(row.created_at),
  resolved: row.resolved_at !== null,
  resolved_at: row.resolved_at === null ? null : isoOf(row.resolved_at),
  // Channels do not receive snoozed alerts.
  snoozed_until: null,
});

function deploymentData({ subdomain, agent_type, ...row }: DeploymentFacts, agentUrl: AgentUrl): DeploymentData {
  const listens = row.status === 'active' && agent_type === 'web';
  return {
    id: row.id,
    project_name: row.project_name,
    environment: row.environment,
    status: row.status,
    url: listens ? agentUrl(environmentLabel(subdomain, row.environment)) : null,
    error_message: row.error_message,
    reason: row.reason,
  };
}

/** PostgreSQL writes times into JSON with the zone of its session. */
export const isoOf = (time: string) => new Date(time).toISOString();
