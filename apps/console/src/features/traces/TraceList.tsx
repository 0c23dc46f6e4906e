import { plural } from '@paddock/contract/plural';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../api/Loaded.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { TextLink } from '../../ui/controls/TextLink.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { mayRenew, tracesQuery } from './queries.ts';
import { TraceFilters } from './TraceFilters.tsx';
import { TracesTable } from './TracesTable.tsx';
import { isFiltered, rangeOf, rangeWords, type Show, type TracesProps, type TraceView, unfiltered } from './view.ts';
import { lostText } from './words.ts';

/** The traces of a deployment, newest first. */
export function TraceList({ deploymentId, view, queryOf, isRenewed, onRenewed, show }: TracesProps & { show: Show }) {
  const query = useInfiniteQuery({
    ...tracesQuery(deploymentId, view, { isRenewed }),
    // The previous rows stay, faded, until those of the new filter are loaded.
    placeholderData: (before) => before,
  });
  const { data } = query;
  const rows = data?.pages.flatMap(({ traces }) => traces) ?? [];
  const lost = data?.pages[0] ? lostText(data.pages[0].lost) : null;
  const renew = (next: boolean) => {
    onRenewed(next);
    if (next) void query.refetch();
  };
  return (
    <section aria-label="Traces">
      <TraceFilters
        view={view}
        models={data?.pages[0]?.models ?? []}
        isRenewed={isRenewed}
        mayRenew={mayRenew(data)}
        loadedAt={data ? query.dataUpdatedAt : 0}
        busy={query.isFetching}
        onView={show}
        onRenewed={renew}
        onRefresh={() => void query.refetch()}
      />
      <Loaded
        query={query}
        failed="The traces could not be loaded. Running agents are not affected."
        isSpaced
        skeleton={<Skeleton rows={6} />}
      />
      {data && rows.length === 0 ? <NoTraces view={view} show={show} /> : null}
      {rows.length > 0 ? (
        <div className={query.isPlaceholderData ? 'opacity-55' : ''} aria-busy={query.isPlaceholderData}>
          <TracesTable rows={rows} searchOf={(trace) => queryOf({ ...view, trace })} />
        </div>
      ) : null}
      {rows.length > 0 ? (
        <div className="mt-4 flex flex-wrap items-center gap-3 text-sm text-muted">
          {query.hasNextPage ? (
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load more
            </Button>
          ) : null}
          <span role="status">
            {plural(rows.length, 'trace')} shown{query.hasNextPage ? ', more available' : ''}
          </span>
        </div>
      ) : null}
      {lost ? <p className="mt-3 max-w-text text-sm text-muted">{lost}</p> : null}
    </section>
  );
}

function NoTraces({ view, show }: { view: TraceView; show: Show }) {
  const range = rangeOf(view);
  if (isFiltered(view))
    return (
      <EmptyState action={<Button onClick={() => show(unfiltered(view))}>Clear filters</Button>}>
        No traces from the last {rangeWords[range]} match these filters.
      </EmptyState>
    );
  const whole: ReactNode = range === '7d' ? null : <Button onClick={() => show({ ...view, range: '7d' })}>Show 7 days</Button>;
  return (
    <EmptyState action={whole}>
      No traces in the last {rangeWords[range]}. Requests through the gateway appear here automatically. An agent with any OpenTelemetry SDK
      sends its own spans too, without configuration.{' '}
      <TextLink href="/docs/traces" target="_blank" rel="noreferrer">
        Guide to traces
      </TextLink>
    </EmptyState>
  );
}
