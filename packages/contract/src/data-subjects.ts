import * as z from 'zod';
import { id, timestamp } from './lists.ts';
import { route } from './route.ts';

export const subjectLimits = { identifiers: 5, letters: 200, shortest: 4, examples: 20, kept: 200, dueDays: 30 } as const;

export const subjectPlaces = ['records', 'facts', 'logs', 'traces', 'accounts'] as const;
export type SubjectPlaceName = (typeof subjectPlaces)[number];

const count = z.number().int().min(0);

export const DataSubjectRequest = z.object({
  id: id('dsr'),
  kind: z.enum(['find', 'erase']),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  reference: z.string().meta({ description: 'What the asker calls it, e.g. the number of a ticket' }),
  created_at: timestamp,
  due_at: timestamp.meta({ description: '30 days after it came (GDPR, Art. 12(3))' }),
  finished_at: timestamp.nullable(),
  places: z
    .array(
      z.object({
        place: z.enum(subjectPlaces),
        found: count,
        erased: count,
        examples: z
          .array(z.object({ id: z.string(), at: timestamp }))
          .max(subjectLimits.examples)
          .meta({ description: 'Records, lines (deployment and number), traces, people' }),
      }),
    )
    .meta({ description: 'Empty until it is completed' }),
  certificate: z
    .string()
    .nullable()
    .meta({ description: 'Of an erasure: one line of JSON, signed; docs/audit-format.md says how to verify it' }),
  error: z.string().nullable(),
});
export type DataSubjectRequest = z.infer<typeof DataSubjectRequest>;

export const dataSubjects = {
  list: route({
    method: 'GET',
    path: '/governance/data-subject-requests',
    access: 'governance:read',
    summary: 'Requests of people about their data, the newest first, at most 200',
    input: z.strictObject({}),
    output: z.object({ requests: z.array(DataSubjectRequest) }),
  }),
  get: route({
    method: 'GET',
    path: '/governance/data-subject-requests/:id',
    access: 'governance:read',
    summary: 'How far one is, and what it found or erased',
    errors: ['data_subject_request_not_found'],
    input: z.strictObject({ id: id('dsr') }),
    output: DataSubjectRequest,
  }),
  create: route({
    method: 'POST',
    path: '/governance/data-subject-requests',
    access: 'governance:write',
    status: 201,
    location: '/governance/data-subject-requests/{id}',
    summary:
      'Find a person by e-mail or other identifiers in records, logs and traces, or erase what is found. What was erased does not come back',
    audit: 'data-subject.request',
    errors: ['data_subject_requests_waiting'],
    input: z.strictObject({
      kind: z.enum(['find', 'erase']),
      identifiers: z
        .array(z.string().trim().min(subjectLimits.shortest, 'An identifier has at least 4 characters.').max(subjectLimits.letters))
        .min(1)
        .max(subjectLimits.identifiers)
        .meta({
          description: 'Each as it would stand in a text; letters count alike in any case. They are kept sealed until the request is done',
        }),
      reference: z.string().trim().max(200).default(''),
    }),
    output: DataSubjectRequest,
  }),
};
