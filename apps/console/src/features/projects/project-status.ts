import type { Deployment, Environment } from '@paddock/contract';

export interface ProjectStatus {
  /** The deployment that serves, production before preview; where none serves, the newest; undefined without any. */
  shown: Deployment | undefined;
  /** A deployment after the shown one that is in progress or failed. */
  newer: Deployment | undefined;
}

/** The status of a project, or of one of its environments, by its deployments in any order. */
export function projectStatus(deployments: readonly Deployment[]): ProjectStatus {
  const newestFirst = deployments.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id));
  const [latest] = newestFirst;
  const current = newestFirst.filter(({ is_current }) => is_current);
  const shown = current.find(({ environment }) => environment === 'production') ?? current[0] ?? latest;
  const isNewer = latest !== undefined && latest !== shown && (latest.status === 'failed' || isInProgress(latest));
  return { shown, newer: isNewer ? latest : undefined };
}

export interface EnvironmentStatus extends ProjectStatus {
  environment: Environment;
}

/** Production always, preview once something was deployed there. */
export function environmentStatuses(deployments: readonly Deployment[]): EnvironmentStatus[] {
  return (['production', 'preview'] as const)
    .map((environment) => ({ environment, ...projectStatus(deployments.filter((each) => each.environment === environment)) }))
    .filter(({ environment, shown }) => environment === 'production' || shown !== undefined);
}

/** The deployment whose message a person should read: one that failed, or a job that may not have done its work. */
export const problemOf = ({ shown, newer }: ProjectStatus): Deployment | undefined =>
  [newer, shown].find((each) => each?.error_message && (each.status === 'failed' || each.status === 'completed'));

/** Why a job or a serving agent has no address; undefined if nothing serves. */
export function noAddressText({ status, is_current, agent_type }: Deployment): string | undefined {
  if (status === 'completed' || agent_type === 'job') return 'No address: this agent runs once and exits';
  return is_current ? 'No address: this agent does not accept requests' : undefined;
}

const isInProgress = ({ status }: Deployment) => status === 'queued' || status === 'building' || status === 'deploying';
