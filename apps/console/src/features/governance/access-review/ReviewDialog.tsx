import type { AccessReview } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { shownText } from '@paddock/contract/terminal-text';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { combineQueries, Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { absoluteTime } from '../../../ui/text/time.ts';
import type { Go } from '../view.ts';
import { ItemRow } from './ItemRow.tsx';
import { type ItemState, itemsQuery, reviewQuery, useCompleteReview, useDecide } from './queries.ts';

const states = [
  { id: 'all', label: 'All' },
  { id: 'undecided', label: 'Undecided' },
] as const;

/** A review: each entry with its permissions, its last use and the decision. A completed review is read-only. */
export function ReviewDialog({ id, go }: { id: string; go: Go }) {
  const query = useQuery(reviewQuery(id));
  const review = query.data;
  const [state, setState] = useState<ItemState>('all');
  const items = useInfiniteQuery(itemsQuery(id, review?.completed_at ? 'all' : state));
  const complete = useCompleteReview();
  const rows = items.data?.pages.flatMap((page) => page.items) ?? [];
  const isOpen = review?.completed_at === null;
  // The error no longer applies: every entry has been decided since.
  const isOver = complete.error instanceof ApiError && complete.error.code === 'access_review_undecided' && review?.undecided === 0;
  const close = () => go({ review: undefined });
  const onComplete = () => complete.mutate(id, { onSuccess: () => void toast.success('Access review completed') });
  return (
    <Dialog
      open
      size="large"
      onClose={close}
      title="Access Review"
      description={review ? <Standing review={review} /> : undefined}
      footer={
        <>
          <Button onClick={close}>Close</Button>
          {isOpen ? (
            <Button variant="primary" busy={complete.isPending} onClick={onComplete}>
              Complete Review
            </Button>
          ) : null}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Loaded query={combineQueries(query, items)} failed="The access review could not be loaded." />
        {isOpen ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <SegmentedControl label="Entries" options={states} value={state} onChange={setState} />
            <KeepShown id={id} items={rows.filter((item) => item.decision === null && !item.is_gone).map((item) => item.id)} />
          </div>
        ) : null}
        <FormError>{failureText(isOver ? null : complete.error, 'The review could not be completed.')}</FormError>
        {items.isPending ? <Skeleton rows={6} /> : null}
        {items.data && rows.length === 0 ? <p className="text-muted">All entries are decided.</p> : null}
        <ul aria-label="Access" aria-busy={items.isFetching} className="list-none border border-border empty:hidden">
          {rows.map((item) => (
            <ItemRow key={item.id} reviewId={id} item={item} isOpen={isOpen} />
          ))}
        </ul>
        {items.hasNextPage ? (
          <div>
            <Button busy={items.isFetchingNextPage} onClick={() => void items.fetchNextPage()}>
              Load more
            </Button>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}

function Standing({ review }: { review: AccessReview }) {
  const zone = useZone();
  const { started_at, started_by, completed_at, completed_by, entries, undecided, kept, revoked, gone } = review;
  const sums = `${kept} still needed, ${revoked} revoked, ${gone} gone.`;
  if (completed_at === null)
    return `Started ${absoluteTime(Date.parse(started_at), zone)} by ${shownText(started_by)}. ${undecided} of ${entries} undecided: ${sums}`;
  return `Completed ${absoluteTime(Date.parse(completed_at), zone)} by ${shownText(completed_by ?? '')}: ${sums}`;
}

/** Keeps all shown entries with one press. */
function KeepShown({ id, items }: { id: string; items: string[] }) {
  const decide = useDecide();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <FormError>{failureText(decide.error, 'Some entries could not be decided.')}</FormError>
      {items.length > 0 ? (
        <Button busy={decide.isPending} onClick={() => decide.mutate({ id, decision: 'keep', items })}>
          {`Still needed: all shown (${items.length})`}
        </Button>
      ) : null}
    </div>
  );
}
