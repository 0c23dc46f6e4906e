import type { Offered, Parts } from '../../parts.ts';
import { alertRoutes } from './routes.ts';
import { type AlertStore, alertStore } from './store.ts';

export function alertFeature({ sql, sendMail }: Pick<Parts, 'sql' | 'sendMail'>): Offered<AlertStore> {
  const store = alertStore(sql, sendMail);
  return {
    routes: [alertRoutes(store)],
    jobs: [{ name: 'alert.sweep', everySeconds: 3600, run: () => store.sweep() }],
    gives: store,
  };
}
