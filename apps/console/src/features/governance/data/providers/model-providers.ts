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
  /** The name in the register of what is replaced or removed; undefined for a new one. */
  name: string | undefined;
  /** Undefined removes it. */
  to: ModelProvider | undefined;
}

/** Changes one entry of the register as it is now, not as it was when the page was loaded: others change it, too. */
export function useChangeProvider() {
  const client = useQueryClient();
  return useAction({
    mutationFn: async ({ name, to }: Change, intention) => {
      const { providers } = await api.modelProviders.list();
      const others = providers.filter(({ provider }) => provider !== name);
      return api.modelProviders.set({ providers: to ? [...others, to] : others }, intention);
    },
    // What was seen stands beside the register in other cards and in controls, too.
    onSuccess: () => client.invalidateQueries({ queryKey: governanceKey }),
  });
}

export const agreementWords = { dpa: 'DPA', baa: 'BAA', none: 'None' } as const satisfies Record<ModelProvider['agreement'], string>;
