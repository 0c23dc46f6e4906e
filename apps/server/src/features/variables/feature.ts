import type { Offered, Parts } from '../../parts.ts';
import { variableRoutes } from './routes.ts';
import { type VariableStore, variableStore } from './store.ts';

export function variableFeature({ sql, seal }: Pick<Parts, 'sql' | 'seal'>): Offered<Pick<VariableStore, 'open'>> {
  const store = variableStore(sql, seal);
  return { routes: [variableRoutes(store)], jobs: [], gives: store };
}
