import type { Offered, Parts } from '../../parts.ts';
import { type NameProject, nameProject } from './named.ts';
import { projectRoutes } from './routes.ts';
import { type MayMake, type ProjectStore, projectStore, type RemoveAddresses } from './store.ts';

interface Needs {
  removeAddresses: RemoveAddresses;
  /** In the transaction that made a project: throws plan_limit_reached. */
  mayMake: MayMake;
}

export function projectFeature(
  { sql, config }: Pick<Parts, 'sql' | 'config'>,
  { removeAddresses, mayMake }: Needs,
): Offered<ProjectStore & { nameProject: NameProject }> {
  const store = projectStore(sql, { removeAddresses, mayMake });
  return { routes: [projectRoutes(store, config.agentUrl)], jobs: [], gives: { ...store, nameProject: nameProject(store) } };
}
