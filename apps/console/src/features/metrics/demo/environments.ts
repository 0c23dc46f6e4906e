import type { Deployment, Environment } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { DemoWorld } from '../../../demo/demo-world.ts';

/** A project's environment with all its deployments: figures span all of them. */
export interface DemoEnvironment {
  project_id: string;
  project_name: string;
  environment: Environment;
  kind: DemoWorld['deployments'][number]['kind'];
  /** The requested deployment. */
  asked: Deployment;
  /** The deployments that were ever active, newest first. */
  deployed: Deployment[];
}

export function findDemoEnvironment(world: DemoWorld, id: string): DemoEnvironment {
  const found = world.deployments.find(({ row }) => row.id === id);
  if (!found) throw new ApiError('deployment_not_found');
  const { project_id, project_name, environment } = found.row;
  const deployed = world.deployments
    .map(({ row }) => row)
    .filter((row) => row.project_id === project_id && row.environment === environment && row.deployed_at !== null)
    .toSorted((a, b) => (b.deployed_at ?? '').localeCompare(a.deployed_at ?? ''));
  return { project_id, project_name, environment, kind: found.kind, asked: found.row, deployed };
}

/** The deployments that serve their environments now, newest first. */
export const servingOf = (world: DemoWorld): Deployment[] =>
  world.deployments.map(({ row }) => row).filter(({ status, is_current }) => status === 'active' && is_current);

/**
 * The time from the first deployment until the last one's end, or until now; null if nothing ever served. Deployments follow each other
 * without a gap.
 */
export function findServedPeriod({ deployed }: DemoEnvironment, now: number): { from: number; to: number } | null {
  const newest = deployed[0];
  const first = deployed.at(-1)?.deployed_at;
  if (!newest || !first) return null;
  return { from: Date.parse(first), to: newest.ended_at ? Date.parse(newest.ended_at) : now };
}
