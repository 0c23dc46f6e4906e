import type { DataProtection } from '@paddock/contract';
import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { merged } from './merged.ts';

/** How personal data in the traffic of a project's agents is handled. */
export const dataProtectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['data-protection', id],
    queryFn: ({ signal }) => api.governance.dataProtection({ id }, { signal }),
  });

export interface Change {
  /** The settings before the first change in the form. */
  before: DataProtectionSettings;
  after: DataProtectionSettings;
}

export function useSetDataProtection(id: string) {
  const client = useQueryClient();
  return useAction({
    // The call replaces all settings: refetch them first, so that another person's changes are kept.
    mutationFn: async ({ before, after }: Change) => {
      const now = toSettings(await api.governance.dataProtection({ id }));
      return api.governance.setDataProtection({ id, ...merged({ before, after, now }) });
    },
    onSuccess: (saved) => client.setQueryData(dataProtectionQuery(id).queryKey, saved),
  });
}

export function toSettings(settings: DataProtection): DataProtectionSettings {
  const { is_default: _, ...rest } = settings;
  return rest;
}
