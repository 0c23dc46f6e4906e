import type { Client } from '@paddock/client';
import type { User } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { accessReviewLimits } from '@paddock/contract/limits';
import type { contract } from '@paddock/contract/routes';
import { dayMs } from '@paddock/contract/time';
import { answer, paginate } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { accessReviewState } from './access-review-state.ts';

/** Access reviews of the demo: the keys are those of its API keys page, and revoking one here revokes it there. */
export function demoAccessReviews(world: DemoWorld, owner: Pick<User, 'name' | 'email'>): Client<typeof contract>['accessReviews'] {
  const { reviews, by, now, find, waits, shown, addKeys, open } = accessReviewState(world, owner);
  return {
    list: (_input, options) =>
      answer(() => {
        const last = reviews.find(({ completed_at }) => completed_at !== null)?.completed_at;
        const due_at = last ? new Date(Date.parse(last) + accessReviewLimits.validDays * dayMs).toISOString() : null;
        return { reviews: reviews.map(({ id }) => shown(find(id))), due_at };
      }, options),
    start: (_input, options) => answer(() => shown(open()), options),
    get: ({ id }, options) => answer(() => shown(find(id)), options),
    items: ({ id, state = 'all', ...page }, options) =>
      answer(() => {
        const { rows, next_cursor } = paginate(
          find(id).items.filter((item) => state === 'all' || waits(item)),
          page,
        );
        return { items: rows, next_cursor };
      }, options),
    decide: ({ id, decision, items: ids }, options) =>
      answer(() => {
        const review = find(id);
        if (review.completed_at !== null) throw new ApiError('access_review_completed');
        const items = review.items.filter((item) => ids.includes(item.id));
        const refused = [];
        for (const item of items) {
          const { id: of, name, cannot_revoke, key_id } = item;
          if (decision === 'revoke' && cannot_revoke !== null) refused.push({ id: of, name, reason: cannot_revoke });
          else if (item.decision !== 'revoke') Object.assign(item, { decision, decided_by: by, decided_at: now() });
          if (item.decision !== 'revoke') continue;
          item.is_gone = true;
          const key = world.keys.find((each) => each.id === key_id);
          if (key?.is_active) Object.assign(key, { is_active: false, revoked_at: now() });
        }
        world.changed();
        return { review: shown(review), items, refused };
      }, options),
    complete: ({ id }, options) =>
      answer(() => {
        const review = find(id);
        if (review.completed_at === null) addKeys(review);
        if (review.items.some(waits)) throw new ApiError('access_review_undecided');
        review.completed_at ??= now();
        for (const item of review.items) if (item.decision === null) Object.assign(item, { decision: 'gone', decided_at: now() });
        return shown(review);
      }, options),
  };
}
