import type { Offered, Parts } from '../../parts.ts';
import { priceStore } from './price-store.ts';
import { traceRoutes } from './routes.ts';
import { traceStore } from './store.ts';
import { traceSweepStore } from './sweep-store.ts';

interface Gives {
  /** By project. */
  costsToday: () => Promise<Map<string, number>>;
  removeOf: (deployment_ids: readonly string[]) => Promise<boolean>;
}

/** What happened within requests, which model calls an agent made, and what their tokens cost. */
export function traceFeature({ sql }: Pick<Parts, 'sql'>): Offered<Gives> {
  const prices = priceStore(sql);
  const sweeping = traceSweepStore(sql);
  return {
    routes: [traceRoutes({ store: traceStore(sql), prices })],
    jobs: [{ name: 'trace.sweep', everySeconds: 600, run: (signal) => sweeping.sweep(signal) }],
    gives: { costsToday: prices.costsToday, removeOf: sweeping.removeOf },
  };
}
