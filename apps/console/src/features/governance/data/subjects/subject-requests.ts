import type { DataSubjectRequest } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../../api/api.ts';
import { useAction } from '../../../../api/use-action.ts';
import { governanceKey } from '../../queries.ts';

const key = [...governanceKey, 'data-subjects'] as const;
const pollMs = 2_000;
/** Maximum number of polls: over an hour in total, since the interval grows. After that only Refresh polls. */
const maxLooks = 250;

export const isUnderWay = ({ status }: Pick<DataSubjectRequest, 'status'>) => status === 'queued' || status === 'running';

interface Looked {
  state: { error: unknown; dataUpdateCount: number };
}
/** The next poll interval while a request is in progress; it grows with each poll. */
const nextLook = (underWay: boolean, { state: { error, dataUpdateCount: looks } }: Looked) =>
  underWay && !error && looks < maxLooks ? pollMs + looks * 100 : false;

export const subjectsQuery = queryOptions({
  queryKey: [...key, 'list'],
  queryFn: ({ signal }) => api.dataSubjects.list({}, { signal }).then(({ requests }) => requests),
  refetchInterval: (query) => nextLook(query.state.data?.some(isUnderWay) ?? false, query),
});

export const subjectQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'one', id],
    queryFn: ({ signal }) => api.dataSubjects.get({ id }, { signal }),
    refetchInterval: (query) => nextLook(query.state.data ? isUnderWay(query.state.data) : false, query),
  });

export type NewSubjectRequest = Parameters<typeof api.dataSubjects.create>[0];

export type NewErasure = Parameters<typeof api.dataSubjects.erase>[0];

export function useErase() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (given: NewErasure, intention) => api.dataSubjects.erase(given, intention),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
    gcTime: 0,
  });
}

export function useAskForData() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (given: NewSubjectRequest, intention) => api.dataSubjects.create(given, intention),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
    // The person's identifiers are dropped from memory with the dialog.
    gcTime: 0,
  });
}
