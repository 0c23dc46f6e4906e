import type { ModelPrice, ModelPrices } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { tracesKey } from '../queries.ts';

/** The team's own prices, and the defaults for all other models. */
export const modelPricesQuery = queryOptions({
  queryKey: ['model-prices'],
  queryFn: ({ signal }) => api.traces.prices({}, { signal }),
});

/** Sets one of the team's own prices, or removes it with null. All queries with costs are refetched. */
export function useSetPrice() {
  const client = useQueryClient();
  return useAction({
    // The call replaces the whole list: refetch it first, so that another person's changes are kept.
    mutationFn: async ({ model, price }: { model: string; price: ModelPrice | null }) => {
      const others = pickOwnPrices(await api.traces.prices({})).filter((each) => each.model.toLowerCase() !== model.toLowerCase());
      return api.traces.setPrices({ model_prices: price ? [...others, price] : others });
    },
    onSuccess: (prices) => {
      client.setQueryData(modelPricesQuery.queryKey, prices);
      return client.invalidateQueries({ queryKey: tracesKey });
    },
  });
}

const pickOwnPrices = ({ model_prices }: ModelPrices): ModelPrice[] =>
  model_prices.flatMap((each) => {
    const { is_default, ...price } = each;
    return is_default ? [] : [price];
  });
