import type { Alert, Environment } from '@paddock/contract';
import type { Tx } from '../../db/connect.ts';

/** What an alert is about: an environment of a project, or else a database or a deployment. */
export interface Cause {
  /** `snake_case`, e.g. `backup_failed`. With the thing that it is about it names the cause; one alert per cause is open. */
  rule: string;
  /** Of the agent of this environment, whichever deployment the alert tells of last. Needs `project_id`. */
  environment?: Environment;
  project_id?: string;
  database_id?: string;
  deployment_id?: string;
}
export interface NewAlert extends Cause {
  severity: Alert['severity'];
  /** Heads the mail, e.g. 'The backup of a database failed'. */
  title: string;
  /** What happened, why, and what to do, for the person; no secrets. */
  message: string;
  /** It goes on until `clear`: whoever resolves it knows of it, and is not told again while it lasts. */
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
