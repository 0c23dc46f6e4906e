import type { Deployment } from '@paddock/contract';

/** Why a deployment cannot take requests, and what to do. */
export function refusalText({ status, agent_type }: Pick<Deployment, 'status' | 'agent_type'>): string {
  if (status === 'active')
    return agent_type === 'web'
      ? 'This deployment has no address now. Try again in a moment.'
      : 'This agent is a worker: it listens on no port, so nothing can be asked of it. Its log shows what it does.';
  if (status === 'queued' || status === 'building' || status === 'deploying')
    return 'The deployment is still being made. It can be asked when it is active.';
  if (status === 'failed')
    return 'The deployment failed, so nothing answers. Its log tells why; deploy again, then ask the new deployment.';
  if (status === 'completed')
    return 'This agent was a job and has ended, so nothing answers. Its log shows what it did; a redeploy runs it again.';
  return 'The deployment is stopped, so nothing answers. Redeploy it, or ask the deployment that serves its environment now.';
}
