import type { ApiKey, CreatedKey } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { useIntentions } from '../../api/intentions.ts';
import { useAction } from '../../api/use-action.ts';

const pageSize = 500;
const maxPages = 10;

/** All API keys of the team, newest first; 5,000 at most. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }): Promise<ApiKey[]> => {
    const all: ApiKey[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const { api_keys, next_cursor } = await api.apiKeys.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal });
      all.push(...api_keys);
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    return all;
  },
});

type Made = (created: CreatedKey) => void;

export const useCreateKey = (onMade: Made) => useSecret(api.apiKeys.create, onMade);
export const useRotateKey = (onMade: Made) => useSecret(api.apiKeys.rotate, onMade);

/** A call whose response is a secret. The response goes only to `onMade`, and not into TanStack's mutation cache. */
function useSecret<Input>(call: (input: Input, options: { idempotency_key: string }) => Promise<CreatedKey>, onMade: Made) {
  const client = useQueryClient();
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined });
  const intentions = useIntentions();
  const make = async (input: Input, idempotency_key: string) => {
    setState({ busy: true, error: undefined });
    try {
      const created = await call(input, { idempotency_key });
      client.setQueryData(apiKeysQuery.queryKey, (all) => (all ? [created.key_info, ...all] : undefined));
      setState({ busy: false, error: undefined });
      onMade(created);
    } finally {
      void client.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    }
  };
  const run = (input: Input) =>
    intentions.run(input, (key) => make(input, key)).catch((error: unknown) => setState({ busy: false, error }));
  return { ...state, run };
}

export function useRevokeKey() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (id: string) => api.apiKeys.revoke({ id }),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
}
