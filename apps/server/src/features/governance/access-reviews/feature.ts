import type { AccessReview } from '@paddock/contract';
import type { Core, Feature } from '../../../core.ts';
import type { Revokes } from './decide.ts';
import { type ItemStore, itemStore } from './item-store.ts';
import { accessReviewRoutes } from './routes.ts';
import { reviewStore } from './store.ts';

type ReviewEvidence = AccessReview & { items: Awaited<ReturnType<ItemStore['all']>> };
const maxEvidence = 4;

interface Exports {
  /** The reviews of a team, newest first. */
  list: (team_id: string) => Promise<AccessReview[]>;
  returned: ItemStore['returned'];
  /** The last completed reviews with all entries, as evidence for an auditor. */
  evidence: (team_id: string) => Promise<ReviewEvidence[]>;
}

/** Reviews of the access to a team: each entry is kept or revoked, and the completed review is evidence. */
export function accessReviewFeature({ sql }: Pick<Core, 'sql'>, revokes: Revokes): Feature<Exports> {
  const reviews = reviewStore(sql);
  const items = itemStore(sql);
  async function evidence(team_id: string): Promise<ReviewEvidence[]> {
    const completed = (await reviews.list(team_id)).filter(({ completed_at }) => completed_at !== null).slice(0, maxEvidence);
    return Promise.all(completed.map(async (review) => ({ ...review, items: await items.all(team_id, review.id) })));
  }
  return {
    routes: [accessReviewRoutes({ reviews, items, revokes })],
    jobs: [],
    exports: { list: reviews.list, returned: items.returned, evidence },
  };
}
