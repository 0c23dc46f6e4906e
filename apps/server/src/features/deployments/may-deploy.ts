import type { Deployment } from '@paddock/contract';
import type { Actor } from '../../http/actor.ts';

/** Throws policy_refused for deployments that the team's policies do not allow. */
export type MayDeploy = (actor: Actor, wanted: Pick<Deployment, 'environment' | 'database_mode'>) => Promise<void>;
