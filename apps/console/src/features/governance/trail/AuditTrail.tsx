import type { GovernanceSummary } from '@paddock/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { DelayedLoading, Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { auditLogsQuery, isCutShort } from '../queries.ts';
import { type Go, type GovernanceView, isFiltered, toAuditFilter } from '../view.ts';
import { matchesText, messages } from '../words.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';
import { ChainState } from './ChainState.tsx';
import { FilterChips } from './FilterChips.tsx';

interface Props {
  view: GovernanceView;
  go: Go;
  summary: GovernanceSummary | undefined;
  /** The summary is loading. */
  isPending: boolean;
}

/** The records, newest first, and the integrity of their chain. */
export function AuditTrail({ view, go, summary, isPending }: Props) {
  const query = useInfiniteQuery({
    ...auditLogsQuery(toAuditFilter(view)),
    // The previous rows stay, faded, until those of the new filter are loaded.
    placeholderData: (before) => before,
  });
  const { data } = query;
  const rows = data?.pages.flatMap(({ logs }) => logs) ?? [];
  return (
    <section aria-labelledby="audit-trail">
      {summary ? <ChainState chain={summary.chain} /> : null}
      {isPending ? (
        <div className="mb-4 min-h-13.5 border border-border bg-surface px-3.5 py-4 text-muted pointer-coarse:min-h-48">
          <DelayedLoading label="Loading governance data...">Loading governance data...</DelayedLoading>
        </div>
      ) : null}
      <AuditFilters view={view} agents={summary?.agents ?? []} go={go} />
      <FilterChips view={view} agents={summary?.agents ?? []} go={go} />
      <h2 id="audit-trail" className="mt-4 mb-2.5 text-md font-bold">
        Audit Logs
        {data ? (
          <span role="status" className="ml-2 font-normal text-muted">
            {countText(matchesText(data.pages[0]?.match_count ?? null, { shown: rows.length, hasMore: query.hasNextPage }))}
          </span>
        ) : null}
      </h2>
      <Loaded query={query} failed={messages.logs} isSpaced skeleton={<Skeleton rows={8} />} />
      {data && rows.length === 0 && !query.hasNextPage && !query.error ? <NoLogs isFiltered={isFiltered(view)} /> : null}
      {rows.length > 0 ? (
        <div className={query.isPlaceholderData ? 'opacity-55' : ''} aria-busy={query.isPlaceholderData}>
          <AuditTable rows={rows} onView={(log) => go({ log }, { replace: false })} />
        </div>
      ) : null}
      {query.hasNextPage && data ? (
        <div className="mt-4 flex flex-wrap items-center gap-3 text-sm text-muted">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {isCutShort(data.pages) ? 'Search further back' : 'Load more'}
          </Button>
          <span role="status">
            {rows.length.toLocaleString('en')} shown
            {isCutShort(data.pages) ? '. Older records have not been searched yet' : ', more available'}
          </span>
        </div>
      ) : null}
    </section>
  );
}

const countText = (count: string) => `${count} ${count === '1' ? 'record' : 'records'}`;

const NoLogs = ({ isFiltered: hasFilters }: { isFiltered: boolean }) => (
  <EmptyState>
    <b className="block font-bold">No audit logs found</b>
    <span>
      {hasFilters ? 'Try adjusting your filters' : 'Requests to agents, deployments, changes and sign-ins appear here automatically.'}
    </span>
  </EmptyState>
);
