import type { DeploymentStatus, Environment } from '@paddock/contract';
import { statusLooks } from '../../ui/status.ts';

/** What of the deployments page lives in its address. */
export type DeploymentsSearch = {
  project?: string;
  status?: DeploymentStatus;
  environment?: Environment;
  action?: 'deploy';
  /** What the form begins with. */
  database?: 'managed';
  /** Whose log stands open above the list. */
  logs?: string;
};

/** Unknown or malformed parameters are dropped in silence. */
export function deploymentsSearch(given: Record<string, unknown>): DeploymentsSearch {
  const { project, status, environment, action, database, logs } = given;
  return {
    ...(isId(project) ? { project } : {}),
    ...(typeof status === 'string' && Object.hasOwn(statusLooks, status) ? { status: status as DeploymentStatus } : {}),
    ...(environment === 'production' || environment === 'preview' ? { environment } : {}),
    ...(action === 'deploy' ? { action, ...(database === 'managed' ? { database } : {}) } : {}),
    ...(isId(logs) ? { logs } : {}),
  };
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 64;
