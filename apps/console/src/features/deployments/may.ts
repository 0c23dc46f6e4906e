import type { Deployment } from '@paddock/contract';
import type { DeploymentAction } from './queries.ts';

/** The actions that a deployment's state allows; the server has the same rules. */
export const may: Record<DeploymentAction, (deployment: Deployment) => boolean> = {
  stop: ({ status }) => status === 'active',
  restart: ({ status, restart_at }) => status === 'active' && restart_at === null,
  cancel: ({ status }) => status === 'queued' || status === 'building',
  redeploy: ({ status }) => status === 'active' || status === 'failed' || status === 'stopped' || status === 'completed',
  promote: ({ environment, status }) =>
    environment === 'preview' && (status === 'active' || status === 'stopped' || status === 'completed'),
  // Only a deployment that has served can serve again.
  rollback: ({ is_current, deployed_at, status }) => !is_current && deployed_at !== null && (status === 'stopped' || status === 'failed'),
};
