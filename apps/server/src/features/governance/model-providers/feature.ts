import { modelProviders } from '@paddock/contract';
import type { Core, Feature } from '../../../core.ts';
import { type Handlers, serve } from '../../../http/serve.ts';
import { type CountedProviders, countedProviders, type SeenProviders, seenProviders } from './seen.ts';
import { type ModelProviderStore, modelProviderStore } from './store.ts';

interface Exports {
  /** The register of a team. */
  modelProviders: ModelProviderStore['list'];
  seenProviders: SeenProviders;
  countedProviders: CountedProviders;
}

/** The register of model providers that a team has agreements with. */
export function modelProviderFeature({ sql }: Pick<Core, 'sql'>): Feature<Exports> {
  const store = modelProviderStore(sql);
  const seen = seenProviders(sql);
  const handlers: Handlers<typeof modelProviders> = {
    async list(_input, { actor: { team_id } }) {
      const [providers, called] = await Promise.all([store.list(team_id), seen(team_id)]);
      return { providers, seen: called };
    },
    async set({ providers }, { actor }) {
      await store.replace(actor.team_id, providers);
      return { providers: await store.list(actor.team_id) };
    },
  };
  return {
    routes: [serve(modelProviders, handlers)],
    jobs: [],
    exports: { modelProviders: store.list, seenProviders: seen, countedProviders: countedProviders(sql) },
  };
}
