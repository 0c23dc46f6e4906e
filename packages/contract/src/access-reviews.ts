import * as z from 'zod';
import { accessReviewLimits } from './limits.ts';
import { id, nextCursor, page, timestamp } from './lists.ts';
import { route } from './route.ts';

const count = z.number().int().min(0);

export const AccessReview = z.object({
  id: id('arv'),
  started_at: timestamp,
  started_by: z.string(),
  completed_at: timestamp.nullable().meta({ description: 'Null while it is open. A completed review does not change any more' }),
  completed_by: z.string().nullable(),
  entries: count,
  undecided: count,
  kept: count,
  revoked: count,
  gone: count.meta({ description: 'Entries that ended by themselves before anybody decided' }),
});
export type AccessReview = z.infer<typeof AccessReview>;

export const AccessReviewItem = z.object({
  id: id('ari'),
  kind: z.enum(['person', 'identity', 'api_key']).meta({ description: 'identity: an account at a provider that a person signs in with' }),
  name: z.string(),
  held_by: z.string().nullable().meta({ description: 'The person it acts for; null for a person' }),
  grants: z.array(z.string()).meta({ description: 'What it may do: the scopes of a key, the role of a person, sign-in' }),
  detail: z.string().meta({ description: 'Sentences on how it is used, as of added_at' }),
  last_used_at: timestamp.nullable().meta({ description: 'As of added_at' }),
  added_at: timestamp,
  is_gone: z.boolean().meta({ description: 'It ended, or was removed elsewhere' }),
  cannot_revoke: z.string().nullable().meta({ description: 'Why the caller cannot revoke it; null where they can' }),
  decision: z.enum(['keep', 'revoke', 'gone']).nullable(),
  decided_by: z.string().nullable(),
  decided_at: timestamp.nullable().meta({ description: 'What is revoked ends at the same moment' }),
});
export type AccessReviewItem = z.infer<typeof AccessReviewItem>;

const one = z.strictObject({ id: id('arv') });

export const accessReviews = {
  list: route({
    method: 'GET',
    path: '/governance/access-reviews',
    access: 'governance:read',
    summary: `Reviews of who has access, the newest first; at most ${accessReviewLimits.kept} are kept`,
    input: z.strictObject({}),
    output: z.object({
      reviews: z.array(AccessReview),
      due_at: timestamp
        .nullable()
        .meta({ description: `${accessReviewLimits.validDays} days after the last completed review; null if there was none` }),
    }),
  }),
  start: route({
    method: 'POST',
    path: '/governance/access-reviews',
    access: 'session',
    status: 201,
    location: '/governance/access-reviews/{id}',
    summary: 'Start a review of who has access; if one is open, go on with it, and add what came since',
    audit: 'access-review.start',
    input: z.strictObject({}),
    output: AccessReview,
  }),
  get: route({
    method: 'GET',
    path: '/governance/access-reviews/:id',
    access: 'governance:read',
    summary: 'How far a review is',
    errors: ['access_review_not_found'],
    input: one,
    output: AccessReview,
  }),
  items: route({
    method: 'GET',
    path: '/governance/access-reviews/:id/items',
    access: 'governance:read',
    summary: 'The people, identities and API keys of a review, with last use and decision',
    errors: ['access_review_not_found', 'cursor_invalid'],
    input: z.strictObject({
      ...one.shape,
      ...page.shape,
      state: z.enum(['all', 'undecided']).default('all'),
    }),
    output: z.object({ items: z.array(AccessReviewItem), next_cursor: nextCursor }),
  }),
  decide: route({
    method: 'POST',
    path: '/governance/access-reviews/:id/decisions',
    access: 'session',
    summary: 'Say of entries that they are still needed, or revoke them at once',
    audit: 'access-review.decide',
    errors: ['access_review_not_found', 'access_review_item_not_found', 'access_review_completed'],
    input: z.strictObject({
      ...one.shape,
      decision: z.enum(['keep', 'revoke']),
      items: z.array(id('ari')).min(1).max(accessReviewLimits.decisions),
    }),
    output: z.object({
      review: AccessReview,
      items: z.array(AccessReviewItem).meta({ description: 'The entries that were asked for, as they are now' }),
      refused: z
        .array(z.object({ id: id('ari'), name: z.string(), reason: z.string() }))
        .meta({ description: 'Entries that stay as they were, each with the reason' }),
    }),
  }),
  complete: route({
    method: 'POST',
    path: '/governance/access-reviews/:id/complete',
    access: 'session',
    summary: 'Complete a review, once each entry is decided. Nothing of it changes afterwards',
    audit: 'access-review.complete',
    errors: ['access_review_not_found', 'access_review_undecided'],
    input: one,
    output: AccessReview,
  }),
};
