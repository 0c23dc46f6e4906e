import type { Core, Feature } from '../../core.ts';
import { type NameProject, nameProject } from './named.ts';
import { projectRoutes } from './routes.ts';
import { type AssertProjectLimit, type ProjectStore, projectStore, type RemoveAddresses } from './store.ts';

interface Deps {
  removeAddresses: RemoveAddresses;
  /** Called in the transaction that created a project: throws plan_limit_reached. */
  assertProjectLimit: AssertProjectLimit;
}

export function projectFeature(
  { sql, config }: Pick<Core, 'sql' | 'config'>,
  { removeAddresses, assertProjectLimit }: Deps,
): Feature<ProjectStore & { nameProject: NameProject }> {
  const store = projectStore(sql, { removeAddresses, assertProjectLimit });
  return { routes: [projectRoutes(store, config.agentUrl)], jobs: [], exports: { ...store, nameProject: nameProject(store) } };
}
