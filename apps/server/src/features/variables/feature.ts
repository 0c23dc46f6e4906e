import type { Core, Feature } from '../../core.ts';
import { variableRoutes } from './routes.ts';
import { type VariableStore, variableStore } from './store.ts';

export function variableFeature({ sql, seal }: Pick<Core, 'sql' | 'seal'>): Feature<Pick<VariableStore, 'open'>> {
  const store = variableStore(sql, seal);
  return { routes: [variableRoutes(store)], jobs: [], exports: store };
}
