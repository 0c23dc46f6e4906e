/** What of the deployments page lives in its address. */
export type DeploymentsSearch = { project?: string; action?: 'deploy' };

/** Unknown or malformed parameters are dropped in silence. */
export function deploymentsSearch(given: Record<string, unknown>): DeploymentsSearch {
  return {
    ...(typeof given.project === 'string' && given.project !== '' ? { project: given.project } : {}),
    ...(given.action === 'deploy' ? { action: 'deploy' } : {}),
  };
}
