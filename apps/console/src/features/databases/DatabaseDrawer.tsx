import type { MetricsRange } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { failureText, requestId } from '../../api/failure.ts';
import { Badge } from '../../ui/feedback/Badge.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { Drawer } from '../../ui/overlays/Drawer.tsx';
import { BackupsPanel } from './backups/BackupsPanel.tsx';
import { environmentWords, isCopy, typeWords } from './messages.ts';
import { MetricsPanel } from './metrics/MetricsPanel.tsx';
import { databaseQuery } from './queries.ts';
import { databaseLook } from './states.ts';

type Tab = 'metrics' | 'backups';

interface Props {
  id: string;
  tab: Tab;
  range: MetricsRange;
  onTab: (tab: Tab) => void;
  onRange: (range: MetricsRange) => void;
  onClose: () => void;
}

/** Metrics and backups of a database, in a drawer beside the list. */
export function DatabaseDrawer({ id, tab, range, onTab, onRange, onClose }: Props) {
  const query = useQuery(databaseQuery(id));
  const database = query.data;
  const isGone = query.error instanceof ApiError && query.error.code === 'database_not_found';
  const look = database ? databaseLook(database.status) : undefined;
  return (
    <Drawer open onClose={onClose} title={database ? `${typeWords[database.type]} of ${database.project_name}` : 'Database'}>
      {query.error ? (
        <div className="mb-4">
          <ErrorState
            message={failureText(query.error, 'The database could not be loaded. The database itself is not affected.') ?? ''}
            requestId={requestId(query.error)}
            onRetry={isGone ? undefined : () => void query.refetch()}
            busy={query.isFetching}
          />
        </div>
      ) : null}
      {query.isPending ? <Skeleton rows={6} /> : null}
      {database && look && !isGone ? (
        <>
          <p className="mb-2 flex flex-wrap items-center gap-2 text-muted">
            {environmentWords[database.environment]}
            {isCopy(database) ? <span className="font-mono text-mono">{database.name}</span> : null}
            <Badge tone={look.tone} glyph={look.glyph}>
              {look.word}
            </Badge>
          </p>
          {database.status_message ? <p className="mb-2 text-sm break-words text-warning-fg">{database.status_message}</p> : null}
          {database.mode === 'managed' ? (
            <Tabs
              label="Views"
              tabs={[
                { id: 'metrics', label: 'Metrics' },
                { id: 'backups', label: 'Backups' },
              ]}
              value={tab}
              onChange={onTab}
            >
              {tab === 'metrics' ? (
                <MetricsPanel database={database} range={range} onRange={onRange} />
              ) : (
                <BackupsPanel database={database} />
              )}
            </Tabs>
          ) : (
            <p className="text-muted">This is your own database. Paddock only knows its address and does not measure it or back it up.</p>
          )}
        </>
      ) : null}
    </Drawer>
  );
}
