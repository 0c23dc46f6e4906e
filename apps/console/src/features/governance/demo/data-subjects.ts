import type { Client } from '@paddock/client';
import type { DataSubjectRequest } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../demo/answering.ts';

const dueMs = 30 * 86_400_000;
const places = ['records', 'facts', 'logs', 'traces', 'accounts'] as const;

/** Requests about people's data in the demo, where nothing is stored of anybody: each finds nothing. */
export function demoDataSubjects(): Client<typeof contract>['dataSubjects'] {
  let requests: DataSubjectRequest[] = [];
  return {
    list: (_input, options) => answer(() => ({ requests }), options),
    get: ({ id }, options) =>
      answer(() => {
        const found = requests.find((request) => request.id === id);
        if (!found) throw new ApiError('data_subject_request_not_found');
        return found;
      }, options),
    create: ({ kind, reference = '' }, options) =>
      answer(() => {
        const now = new Date();
        const made: DataSubjectRequest = {
          id: `dsr_${crypto.randomUUID()}`,
          kind,
          status: 'completed',
          reference,
          created_at: now.toISOString(),
          due_at: new Date(now.getTime() + dueMs).toISOString(),
          finished_at: now.toISOString(),
          places: places.map((place) => ({ place, found: 0, erased: 0, examples: [] })),
          certificate: null,
          error: null,
        };
        requests = [made, ...requests];
        return made;
      }, options),
  };
}
