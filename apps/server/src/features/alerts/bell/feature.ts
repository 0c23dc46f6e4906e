import type { Core, Feature } from '../../../core.ts';
import { alertRoutes } from './routes.ts';
import { type AlertStore, alertStore } from './store.ts';

export function alertFeature({ sql, sendMail, log }: Pick<Core, 'sql' | 'sendMail' | 'log'>): Feature<AlertStore> {
  const store = alertStore(sql, sendMail);
  return {
    routes: [alertRoutes(store)],
    jobs: [
      { name: 'alert.wake', everySeconds: 30, run: store.waking(log) },
      { name: 'alert.sweep', everySeconds: 3600, run: () => store.sweep() },
    ],
    exports: store,
  };
}
