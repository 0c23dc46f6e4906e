import type { Alert, Environment } from '@paddock/contract';
import type { Tx } from '../../../db/connect.ts';

/** The subject of an alert: an environment of a project, or else a database or a deployment. */
export interface Cause {
  /** `snake_case`, e.g. `backup_failed`. Rule and subject identify the cause; each cause has at most one open alert. */
  rule: string;
  /** The environment of the agent, whichever deployment the alert names last. Needs `project_id`. */
  environment?: Environment;
  project_id?: string;
  database_id?: string;
  deployment_id?: string;
}
export interface NewAlert extends Cause {
  severity: Alert['severity'];
  /** Subject line of the mail, e.g. 'The backup of a database failed'. */
  title: string;
  /** For the user: the event, its reason, and what to do; no secrets. */
  message: string;
  /** The cause lasts until `clear`: a person who resolves the alert is not notified again while it lasts. */
  lasting?: boolean;
}
export type Raise = (team_id: string, alert: NewAlert) => Promise<void>;
export type Clear = (team_id: string, cause: Cause) => Promise<void>;

/** For the `where` of a query: the alerts of a cause. */
export function ofCause(tx: Tx, team_id: string, { rule, environment, project_id, database_id, deployment_id }: Cause) {
  if (environment)
    return tx`
    team_id = ${team_id}
    and rule = ${rule}
    and project_id = ${project_id ?? null}
    and environment = ${environment}`;
  return tx`
    team_id = ${team_id}
    and rule = ${rule}
    and environment is null
    and coalesce(database_id, deployment_id, '') = ${database_id ?? deployment_id ?? ''}`;
}
