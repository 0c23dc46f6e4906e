import { type AccessReview, type AccessReviewItem, accessReviews } from '@paddock/contract';
import { accessReviewLimits } from '@paddock/contract/limits';
import { dayMs } from '@paddock/contract/time';
import { serve } from '../../../http/serve.ts';
import { cannotRevoke, createDecide, type Revokes } from './decide.ts';
import type { Item, ItemStore } from './item-store.ts';
import type { ReviewStore } from './store.ts';

interface ReviewParts {
  reviews: ReviewStore;
  items: ItemStore;
  revokes: Revokes;
}

export const accessReviewRoutes = ({ reviews, items, revokes }: ReviewParts) =>
  serve(accessReviews, {
    async list(_, { actor }) {
      const all = await reviews.list(actor.team_id);
      return { reviews: all, due_at: dueAt(all) };
    },

    start: (_, { actor, newId }) => reviews.start(actor.team_id, { id: newId('arv'), by: actor.name }),

    get: ({ id }, { actor }) => reviews.get(actor.team_id, id),

    async items(input, { actor }) {
      const { rows, next_cursor } = await items.page(actor.team_id, input);
      return { items: rows.map(shownTo(actor)), next_cursor };
    },

    async decide({ id, decision, items: asked }, { actor }) {
      const decide = createDecide({ revokes, actor, decision });
      const done = await items.decide(actor.team_id, { id, items: asked, by: actor.name, decide });
      return { ...done, items: done.items.map(shownTo(actor)) };
    },

    async complete({ id }, { actor }) {
      // Access that was added meanwhile must be decided, too, and stays in the list when completing is refused.
      await reviews.refresh(actor.team_id, id);
      return reviews.complete(actor.team_id, { id, by: actor.name });
    },
  });

const shownTo =
  (actor: { user_id: string }) =>
  (item: Item): AccessReviewItem => {
    const { subject_id: _, user_id: __, ...shown } = item;
    return { ...shown, cannot_revoke: cannotRevoke(item, actor) };
  };

function dueAt(reviews: readonly AccessReview[]): string | null {
  const last = reviews.find(({ completed_at }) => completed_at !== null)?.completed_at;
  return last ? new Date(Date.parse(last) + accessReviewLimits.validDays * dayMs).toISOString() : null;
}
