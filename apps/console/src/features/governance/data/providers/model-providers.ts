import type { ModelProvider } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../../api/api.ts';
import { useAction } from '../../../../api/use-action.ts';
import { governanceKey } from '../../queries.ts';

export const providersQuery = queryOptions({
  queryKey: [...governanceKey, 'model-providers'],
  queryFn: ({ signal }) => api.modelProviders.list({}, { signal }),
});

interface Change {
  /** The name of the entry to replace or remove; undefined for a new one. */
  name: string | undefined;
  /** Undefined removes the entry. */
  to: ModelProvider | undefined;
}

/** Changes one entry of the current register, not of the one that was loaded with the page: other people may have changed it. */
export function useChangeProvider() {
  const client = useQueryClient();
  return useAction({
    mutationFn: async ({ name, to }: Change, intention) => {
      const { providers } = await api.modelProviders.list();
      const others = providers.filter(({ provider }) => provider !== name);
      return api.modelProviders.set({ providers: to ? [...others, to] : others }, intention);
    },
    // Other cards and controls also show providers with their entry in the register.
    onSuccess: () => client.invalidateQueries({ queryKey: governanceKey }),
  });
}

export const agreementWords = { dpa: 'DPA', baa: 'BAA', none: 'None' } as const satisfies Record<ModelProvider['agreement'], string>;
