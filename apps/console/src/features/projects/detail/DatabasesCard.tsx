import type { Database } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { environmentWords, fullName, isCopy, modeWords, typeWords } from '../../databases/messages.ts';
import { databasesQuery } from '../../databases/queries.ts';
import { databaseLook } from '../../databases/states.ts';
import { usePendingActions } from '../../databases/use-pending-actions.ts';

const DatabaseDialogs = lazy(() => import('../../databases/DatabaseDialogs.tsx').then((module) => ({ default: module.DatabaseDialogs })));

/** The databases of a project: status, address, and the connection string on request, masked. */
export function DatabasesCard({ projectId }: { projectId: string }) {
  const query = useQuery(databasesQuery({ project_id: projectId }));
  const navigate = useNavigate();
  const { asked, wish, done } = usePendingActions((open) => void navigate({ to: '/databases', search: { project: projectId, open } }));
  const all = (query.data ?? []).toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)));
  const askedOf = asked ? all.find(({ id }) => id === asked.id) : undefined;
  return (
    <Card
      title="Databases"
      aside={query.data ? <span className="text-sm text-muted">{all.length.toLocaleString('en')}</span> : null}
      actions={
        query.data && all.length === 0 ? (
          <PageLink to="/databases" search={{ project: projectId, action: 'connect' }}>
            Connect your own
          </PageLink>
        ) : (
          <PageLink to="/databases" search={{ project: projectId }}>
            All databases
          </PageLink>
        )
      }
    >
      <Loaded
        query={query}
        failed="The databases could not be loaded. Running agents are not affected."
        isSpaced
        skeleton={<Skeleton rows={3} />}
      />
      {query.data && all.length === 0 ? (
        <p className="text-muted">No databases yet. A deployment in managed mode gets PostgreSQL and Redis.</p>
      ) : null}
      {all.length > 0 ? (
        <ul aria-label="Databases" className="flex flex-col divide-y divide-border">
          {all.map((database) => (
            <Row key={database.id} database={database} onConnection={() => wish('connection', database)} />
          ))}
        </ul>
      ) : null}
      <Suspense fallback={null}>
        {asked && askedOf ? (
          <DatabaseDialogs asked={asked.wish} database={askedOf} onWish={(what) => wish(what, askedOf)} onClose={done} />
        ) : null}
      </Suspense>
    </Card>
  );
}

function Row({ database, onConnection }: { database: Database; onConnection: () => void }) {
  const { type, environment, mode, name, status, status_message, host, port } = database;
  const { tone, glyph, word } = databaseLook(status);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 first:pt-0 last:pb-0">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-semibold">{typeWords[type]}</span>
          <Badge tone={tone} glyph={glyph}>
            {word}
          </Badge>
        </p>
        <p className="text-sm break-words text-muted">
          {environmentWords[environment]}, {modeWords[mode]}
          {isCopy(database) ? `, copy ${name}` : ''}
          {host === null ? null : (
            <>
              {', '}
              <span className="font-mono text-mono break-all">{addressText(host, port)}</span>
            </>
          )}
        </p>
        {status_message ? <p className="text-sm break-words text-warning-fg">{status_message}</p> : null}
      </div>
      {/* A database has no address before its first start. */}
      <Button disabled={host === null} onClick={onConnection} aria-label={`Connection String of ${fullName(database)}`}>
        Connection String
      </Button>
    </li>
  );
}

/** Production before preview, copies at the end. */
const orderOf = (database: Database) =>
  [isCopy(database) ? 1 : 0, database.environment === 'production' ? 0 : 1, database.type, database.name].join(' ');

/** An IPv6 address is in brackets before a port. */
function addressText(host: string, port: number | null): string {
  if (port === null) return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
