import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

/** The key is below 'projects', so that every change of projects refetches the limits. */
export const planLimitsQuery = queryOptions({
  queryKey: ['projects', 'plan-limits'],
  queryFn: ({ signal }) => api.planLimits.get({}, { signal }),
});
