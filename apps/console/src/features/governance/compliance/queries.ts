import type { ComplianceRun, ControlId, FrameworkId } from '@paddock/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { saveFile } from '../../../ui/controls/save-file.ts';
import { governanceKey } from '../queries.ts';
import { fileTime } from '../trail/export-formats.ts';

const complianceKey = [...governanceKey, 'compliance'] as const;
const runPollMs = 1_000;

export type Claim = Awaited<ReturnType<typeof api.compliance.overview>>['claims'][number];

/** All frameworks, the score, and the claims of the cards. */
export const overviewQuery = queryOptions({
  queryKey: [...complianceKey, 'overview'],
  queryFn: ({ signal }) => api.compliance.overview({}, { signal }),
});

/** The address may contain any text: the API refuses unknown frameworks. */
export const frameworkQuery = (framework: string) =>
  queryOptions({
    queryKey: [...complianceKey, 'framework', framework],
    queryFn: ({ signal }) => api.compliance.detail({ framework: framework as FrameworkId }, { signal }),
  });

export type ControlDetail = Awaited<ReturnType<typeof api.compliance.control>>;

/** A control with the clauses of one framework, or of all. */
export const controlQuery = (control: string, framework: string | undefined) =>
  queryOptions({
    queryKey: [...complianceKey, 'control', control, framework],
    queryFn: ({ signal }) =>
      api.compliance.control({ control: control as ControlId, ...(framework ? { framework: framework as FrameworkId } : {}) }, { signal }),
  });

export const isUnderWay = (run: Pick<ComplianceRun, 'status'> | undefined) => run?.status === 'queued' || run?.status === 'running';

/** The progress of a check, polled until it ends. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [...complianceKey, 'run', id],
    queryFn: ({ signal }) => api.compliance.run({ id }, { signal }),
    refetchInterval: ({ state: { data, error } }) => (error || (data && !isUnderWay(data)) ? false : runPollMs),
  });

export function useRefreshCompliance() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: complianceKey });
}

export function useStartCheck(framework: string) {
  return useAction({
    mutationFn: (_: void, intention) => api.compliance.check({ framework: framework as FrameworkId }, intention),
  });
}

/** Saves the checks and findings as a file for an auditor. */
export function useSaveEvidence(framework: string) {
  return useAction({
    mutationFn: async (_: void, intention) => {
      const bytes = await api.compliance.evidence({ framework: framework as FrameworkId }, intention);
      saveFile(bytes, { name: `compliance-${framework}-${fileTime(new Date())}.zip`, type: 'application/zip' });
    },
  });
}

type NewWaiver = Parameters<typeof api.compliance.createWaiver>[0];

export function useCreateWaiver() {
  const refresh = useRefreshCompliance();
  return useAction({ mutationFn: (given: NewWaiver, intention) => api.compliance.createWaiver(given, intention), onSuccess: refresh });
}

export function useEndWaiver() {
  const refresh = useRefreshCompliance();
  return useAction({ mutationFn: (id: string) => api.compliance.deleteWaiver({ id }), onSuccess: refresh });
}
