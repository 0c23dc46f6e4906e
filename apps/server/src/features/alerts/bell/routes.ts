import { alerts } from '@paddock/contract';
import { type Handlers, serve } from '../../../http/serve.ts';
import type { AlertStore } from './store.ts';

export const alertHandlers = (store: Pick<AlertStore, 'list' | 'get' | 'resolve' | 'snooze'>): Handlers<typeof alerts> => ({
  async list(input, { actor }) {
    const { rows, ...rest } = await store.list(actor.team_id, input);
    return { alerts: rows, ...rest };
  },
  get: ({ id }, { actor }) => store.get(actor.team_id, id),
  resolve: ({ id }, { actor }) => store.resolve(actor.team_id, id),
  snooze: ({ id, minutes }, { actor }) => store.snooze(actor.team_id, id, minutes),
});

export const alertRoutes = (store: Pick<AlertStore, 'list' | 'get' | 'resolve' | 'snooze'>) => serve(alerts, alertHandlers(store));
