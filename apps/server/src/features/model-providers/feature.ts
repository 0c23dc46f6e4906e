import { modelProviders } from '@paddock/contract';
import { type Handlers, serve } from '../../http/serve.ts';
import type { Offered, Parts } from '../../parts.ts';
import { type ModelProviderStore, modelProviderStore } from './store.ts';

/** The register of providers of models that a team has agreements with. */
export function modelProviderFeature({ sql }: Pick<Parts, 'sql'>): Offered<Pick<ModelProviderStore, 'list'>> {
  const store = modelProviderStore(sql);
  const handlers: Handlers<typeof modelProviders> = {
    list: async (_input, { actor }) => ({ providers: await store.list(actor.team_id) }),
    async set({ providers }, { actor }) {
      await store.replace(actor.team_id, providers);
      return { providers: await store.list(actor.team_id) };
    },
  };
  return { routes: [serve(modelProviders, handlers)], jobs: [], gives: { list: store.list } };
}
