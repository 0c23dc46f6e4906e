import type { BillingDetails } from '@paddock/contract';
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { saveFile } from '../../../ui/controls/save-file.ts';

export const invoicesQuery = infiniteQueryOptions({
  queryKey: ['billing', 'invoices'],
  initialPageParam: '',
  queryFn: ({ pageParam, signal }) => api.invoices.list(pageParam ? { cursor: pageParam } : {}, { signal }),
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

export const detailsQuery = queryOptions({
  queryKey: ['billing', 'details'],
  queryFn: ({ signal }) => api.invoices.details({}, { signal }),
});

export const useDownload = (id: string) =>
  useAction({
    mutationFn: async (_input: void) => saveFile(await api.invoices.pdf({ id }), { name: `${id}.pdf`, type: 'application/pdf' }),
  });

export const useExport = () =>
  useAction({
    mutationFn: async (_input: void) => saveFile(await api.invoices.export({}), { name: 'invoices.csv', type: 'text/csv' }),
  });

export function useSetDetails() {
  const client = useQueryClient();
  return useAction({
    mutationFn: (details: BillingDetails) => api.invoices.setDetails(details),
    onSuccess: (details) => client.setQueryData(detailsQuery.queryKey, details),
  });
}
