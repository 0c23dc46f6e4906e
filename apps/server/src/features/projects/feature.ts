import type { Offered, Parts } from '../../parts.ts';
import { projectRoutes } from './routes.ts';
import { type ProjectStore, projectStore, type RemoveAddresses } from './store.ts';

interface Needs {
  removeAddresses: RemoveAddresses;
}

export function projectFeature({ sql, config }: Pick<Parts, 'sql' | 'config'>, { removeAddresses }: Needs): Offered<ProjectStore> {
  const store = projectStore(sql, removeAddresses);
  return { routes: [projectRoutes(store, config.agentUrl)], jobs: [], gives: store };
}
