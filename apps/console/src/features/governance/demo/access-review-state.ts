import type { AccessReview, AccessReviewItem, User } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { dayMs } from '@paddock/contract/time';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { freshId, sampleId } from '../../../demo/ids.ts';

interface Review extends Pick<AccessReview, 'id' | 'started_at' | 'completed_at'> {
  items: (AccessReviewItem & { key_id?: string })[];
}

/** The demo's access reviews, newest first: one completed in the past, and those started on this page. */
export function accessReviewState(world: DemoWorld, owner: Pick<User, 'name' | 'email'>) {
  const by = owner.name;
  const at = (ms: number) => new Date(ms).toISOString();
  const now = () => at(Date.now());
  const endsOf = (key_id: string | undefined) => world.keys.find(({ id }) => id === key_id)?.is_active === false;
  const ago = Date.now() - 97 * dayMs;
  const past: Review = {
    id: sampleId('arv', 1),
    started_at: at(ago - dayMs),
    completed_at: at(ago),
    items: people(owner, at(ago - dayMs)),
  };
  for (const item of past.items) Object.assign(item, { decision: 'keep', decided_by: by, decided_at: at(ago) });
  const reviews = [past];

  const find = (id: string) => {
    const review = reviews.find((each) => each.id === id);
    if (!review) throw new ApiError('access_review_not_found');
    for (const item of review.items) if (item.decision !== 'revoke') item.is_gone = endsOf(item.key_id);
    return review;
  };
  const waits = ({ decision, is_gone }: AccessReviewItem) => decision === null && !is_gone;
  function shown({ id, started_at, completed_at, items }: Review): AccessReview {
    const count = (decided: AccessReviewItem['decision']) => items.filter(({ decision }) => decision === decided).length;
    const undecided = items.filter(waits).length;
    const [kept, revoked] = [count('keep'), count('revoke')];
    const gone = items.length - undecided - kept - revoked;
    const completed_by = completed_at && by;
    return { id, started_at, started_by: by, completed_at, completed_by, entries: items.length, undecided, kept, revoked, gone };
  }
  /** Adds the live keys that are missing in the review. */
  function addKeys({ items }: Review) {
    for (const { id, name, key_prefix, key_suffix, scopes, last_used_at, is_active } of world.keys)
      if (is_active && !items.some(({ key_id }) => key_id === id))
        items.push(
          entry({ kind: 'api_key', name, held_by: by, grants: scopes, detail: `${key_prefix}…${key_suffix}.`, last_used_at, key_id: id }),
        );
  }

  function open(): Review {
    let review = reviews.find(({ completed_at }) => completed_at === null);
    if (!review) reviews.unshift((review = { id: freshId('arv'), started_at: now(), completed_at: null, items: people(owner, now()) }));
    addKeys(review);
    return review;
  }
  return { reviews, by, now, find, waits, shown, addKeys, open };
}

type Deps = Pick<AccessReviewItem, 'kind' | 'name' | 'held_by' | 'grants' | 'detail' | 'last_used_at'>;

const entry = (given: Deps & { cannot_revoke?: string; key_id?: string }): Review['items'][number] => ({
  id: freshId('ari'),
  added_at: new Date().toISOString(),
  is_gone: false,
  cannot_revoke: null,
  decision: null,
  decided_by: null,
  decided_at: null,
  ...given,
});

const people = ({ name, email }: Pick<User, 'name' | 'email'>, last_used_at: string) => [
  entry({
    kind: 'person',
    name,
    held_by: null,
    grants: ['owner'],
    detail: `${email}. Signs in with a password, GitHub. Two-factor sign-in is on. 2 open sessions.`,
    last_used_at,
    cannot_revoke: 'You cannot remove yourself. You may delete your account in the settings.',
  }),
  entry({ kind: 'identity', name: 'GitHub', held_by: name, grants: ['sign-in'], detail: `${email} at GitHub.`, last_used_at }),
];
