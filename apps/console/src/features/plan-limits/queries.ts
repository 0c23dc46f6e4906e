import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

/** Below the projects, since whatever changes those has it asked anew. */
export const planLimitsQuery = queryOptions({
  queryKey: ['projects', 'plan-limits'],
  queryFn: ({ signal }) => api.planLimits.get({}, { signal }),
});
