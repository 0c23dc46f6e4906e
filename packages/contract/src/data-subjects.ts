import * as z from 'zod';
import { textLimits } from './limits.ts';
import { id, timestamp } from './lists.ts';
import { ownPassword, ownPasswordErrors } from './profile.ts';
import { route } from './route.ts';

export const subjectLimits = {
  identifiers: 5,
  letters: 200,
  shortest: 4,
  examples: 20,
  kept: 200,
  dueDays: 30,
  previewMinutes: 60,
} as const;

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
        total: count.nullable().meta({ description: 'How much of the team’s the place holds; null where nothing is erased' }),
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

const identifiers = z
  .array(z.string().trim().min(subjectLimits.shortest, 'An identifier has at least 4 characters.').max(subjectLimits.letters))
  .min(1)
  .max(subjectLimits.identifiers)
  .meta({
    description: 'Each as it would stand in a text; letters count alike in any case. They are kept sealed until the request is done',
  });
const reference = z.string().trim().max(textLimits.dataSubjectReference).default('');

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
    summary: 'Find a person by e-mail or other identifiers in records, logs and traces: how much there is, before it may be erased',
    audit: 'data-subject.request',
    errors: ['data_subject_requests_waiting'],
    input: z.strictObject({
      kind: z.literal(
        'find',
        'Only "find" is asked for here. A person who is signed in erases what a request found with POST …/{id}/erase.',
      ),
      identifiers,
      reference,
    }),
    output: DataSubjectRequest,
  }),
  erase: route({
    method: 'POST',
    path: '/governance/data-subject-requests/:id/erase',
    access: 'session',
    status: 201,
    location: '/governance/data-subject-requests/{id}',
    summary:
      'Erase what a completed request found, by a person who gives the password once more. More than 5 % of what a place holds (and more than 20) needs the count. What was erased does not come back',
    audit: 'data-subject.erase',
    errors: [
      ...ownPasswordErrors,
      'data_subject_request_not_found',
      'data_subject_preview_missing',
      'data_subject_count_unconfirmed',
      'data_subject_requests_waiting',
    ],
    input: z.strictObject({
      id: id('dsr').meta({ description: 'A request that found the same identifiers within the last hour' }),
      identifiers,
      reference,
      password: ownPassword,
      confirmed_count: count.optional().meta({
        description:
          'How much the request found in records, logs and traces; needed where it is more than 5 % of what one of them holds, and more than 20',
      }),
    }),
    output: DataSubjectRequest,
  }),
};
