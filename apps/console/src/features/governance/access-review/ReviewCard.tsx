import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { useZone } from '../../../ui/preferences/zone.ts';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { absoluteTime, useNow } from '../../../ui/text/time.ts';
import type { Go } from '../view.ts';
import { reviewsQuery, useStartReview } from './queries.ts';

/** When access was last reviewed, and a button that opens or starts a review. */
export function ReviewCard({ go }: { go: Go }) {
  const query = useQuery(reviewsQuery);
  const { data } = query;
  const start = useStartReview();
  const open = data?.reviews.find(({ completed_at }) => completed_at === null);
  const last = data?.reviews.find(({ completed_at }) => completed_at !== null);
  const view = (id: string) => go({ review: id }, { replace: false });
  const facts: [term: string, value: ReactNode][] = [
    ['Last completed', last?.completed_at ? <Timestamp key="at" at={last.completed_at} /> : 'Never'],
    ['Due', <Due key="due" at={data?.due_at ?? null} />],
    ...(open ? [['Open review', `${open.undecided} of ${open.entries} undecided`] as [string, string]] : []),
  ];
  return (
    <Card
      title="Access Review"
      actions={
        data ? (
          <>
            {last ? <Button onClick={() => view(last.id)}>View Last</Button> : null}
            <Button
              variant="primary"
              busy={start.isPending}
              onClick={() => (open ? view(open.id) : start.mutate(undefined, { onSuccess: ({ id }) => view(id) }))}
            >
              {open ? 'Continue Review' : 'Start Review'}
            </Button>
          </>
        ) : undefined
      }
    >
      <Loaded query={query} failed="The access reviews could not be loaded." skeleton={<Skeleton rows={2} />} />
      <FormError>{failureText(start.error, 'The review could not be started.')}</FormError>
      {data ? (
        <dl className="flex flex-wrap gap-x-8 gap-y-1">
          {facts.map(([term, value]) => (
            <div key={term} className="flex flex-wrap items-center gap-x-3">
              <dt className="text-muted">{term}</dt>
              <dd className="font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <p className="mt-2 text-sm text-muted">
        Review everyone and everything with access: people, their sign-in methods and API keys. Confirm that each is still needed, or revoke
        it at once.
      </p>
    </Card>
  );
}

function Due({ at }: { at: string | null }) {
  const zone = useZone();
  const now = useNow();
  if (at !== null && Date.parse(at) > now) return absoluteTime(Date.parse(at), zone);
  return (
    <Badge tone="warning" glyph="triangle">
      Due now
    </Badge>
  );
}
