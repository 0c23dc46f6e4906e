import type { ApiKey, CreatedKey } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../api.ts';
import { freshKey } from '../../fresh-key.ts';

const pageSize = 500;
const pagesMax = 10;

/** All API keys of the team, newest first; 5,000 at most. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }): Promise<ApiKey[]> => {
    const all: ApiKey[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pagesMax; page += 1) {
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

/** A call whose answer is a secret: it goes to whoever shows it and nowhere else, so not through the cache that mutations are kept in. */
function useSecret<Input>(call: (input: Input, options: { idempotency_key: string }) => Promise<CreatedKey>, onMade: Made) {
  const client = useQueryClient();
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined });
  // The same thing asked for again, after an answer that was lost, makes no second key.
  const attempt = useRef({ input: '', key: '' });
  const run = async (input: Input) => {
    const text = JSON.stringify(input);
    if (attempt.current.input !== text) attempt.current = { input: text, key: freshKey() };
    setState({ busy: true, error: undefined });
    try {
      const created = await call(input, { idempotency_key: attempt.current.key });
      client.setQueryData(apiKeysQuery.queryKey, (all) => (all ? [created.key_info, ...all] : undefined));
      setState({ busy: false, error: undefined });
      onMade(created);
    } catch (error) {
      // Answered for good: another press is another wish.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) attempt.current = { input: '', key: '' };
      setState({ busy: false, error });
    } finally {
      void client.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    }
  };
  return { ...state, run };
}

export function useRevokeKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.apiKeys.revoke({ id }),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
}
