import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plug, Rocket } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { failureText, requestId } from '../../api/failure.ts';
import { filled } from '../../api/filled.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { ButtonLink } from '../../navigation/links.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { projectsQuery } from '../projects/queries.ts';
import { DatabaseCard } from './DatabaseCard.tsx';
import { DatabaseFilters } from './DatabaseFilters.tsx';
import { ManagedLacks } from './ManagedLacks.tsx';
import { databasesQuery } from './queries.ts';
import type { DatabasesSearch } from './search.ts';
import { usePendingActions } from './use-pending-actions.ts';

const ConnectDialog = lazy(() => import('./byo/ConnectDialog.tsx').then((module) => ({ default: module.ConnectDialog })));
const DatabaseDialogs = lazy(() => import('./DatabaseDialogs.tsx').then((module) => ({ default: module.DatabaseDialogs })));
const DatabaseDrawer = lazy(() => import('./DatabaseDrawer.tsx').then((module) => ({ default: module.DatabaseDrawer })));

export function DatabasesPage() {
  const { project, environment, action, open, tab, range } = useSearch({ from: '/shell/databases' });
  const navigate = useNavigate({ from: '/databases' });
  const databases = useQuery(databasesQuery({ project_id: project, environment }));
  const projects = useQuery(projectsQuery);
  const filters = filled({ project, environment });
  const go = (next: DatabasesSearch, replace = false) => void navigate({ search: next, replace });
  const { asked, wish, done, startProblem } = usePendingActions((id, at) =>
    go({ ...filters, open: id, ...(at === 'backups' ? { tab: at } : {}) }),
  );

  const all = databases.data ?? [];
  const isFiltered = project !== undefined || environment !== undefined;
  const connect = (
    <Button icon={<Icon of={Plug} />} onClick={() => go({ ...filters, action: 'connect' })}>
      Connect your own
    </Button>
  );
  const askedOf = asked ? all.find(({ id }) => id === asked.id) : undefined;
  return (
    <>
      <PageHeader
        title="Databases"
        count={databases.data ? all.length.toLocaleString('en') : null}
        actions={all.length > 0 || isFiltered ? connect : undefined}
      />
      <p className="mb-4 max-w-text text-muted">
        Databases are provisioned automatically when an agent is deployed in managed mode: one PostgreSQL and one Redis per project and
        environment, kept across deployments and backed up every day.
      </p>
      <div className="mb-4 empty:hidden">
        <ManagedLacks />
      </div>
      <DatabaseFilters filters={filters} projects={projects.data ?? []} onChange={(next) => go(next)} />
      <Loaded
        query={databases}
        failed="The databases could not be loaded. Running agents are not affected."
        isSpaced
        skeleton={<Skeleton kind="cards" rows={6} />}
      />
      {databases.data && all.length === 0 && isFiltered ? (
        <EmptyState action={<Button onClick={() => go({})}>Clear filters</Button>}>No database matches these filters.</EmptyState>
      ) : null}
      {databases.data && all.length === 0 && !isFiltered ? <NoDatabases connect={connect} /> : null}
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {all.map((database) => (
          <DatabaseCard
            key={database.id}
            database={database}
            problem={startProblem?.id === database.id ? startFailure(startProblem.error) : undefined}
            onWish={(what) => wish(what, database)}
          />
        ))}
      </div>
      <Suspense fallback={null}>
        {action === 'connect' ? <ConnectDialog projectId={project} environment={environment} onClose={() => go(filters, true)} /> : null}
        {open ? (
          <DatabaseDrawer
            key={open}
            id={open}
            tab={tab ?? 'metrics'}
            range={range ?? '24h'}
            onTab={(next) => go(filled({ ...filters, open, tab: next === 'backups' ? next : undefined, range }), true)}
            onRange={(next) => go(filled({ ...filters, open, range: next === '24h' ? undefined : next }), true)}
            onClose={() => go(filters, true)}
          />
        ) : null}
        {asked && askedOf ? (
          <DatabaseDialogs asked={asked.wish} database={askedOf} onWish={(what) => wish(what, askedOf)} onClose={done} />
        ) : null}
      </Suspense>
    </>
  );
}

/** The empty state; `connect` is the button that connects an existing database. */
const NoDatabases = ({ connect }: { connect: ReactNode }) => (
  <EmptyState
    action={
      <div className="flex flex-wrap justify-center gap-2.5">
        <ButtonLink to="/deployments" search={{ action: 'deploy', database: 'managed' }} variant="primary" icon={<Icon of={Rocket} />}>
          Deploy with managed databases
        </ButtonLink>
        {connect}
      </div>
    }
    command="paddock deploy --database managed"
  >
    No databases yet. Deploy an agent in managed mode to get PostgreSQL and Redis, or connect a database of your own.
  </EmptyState>
);

function startFailure(error: unknown): string {
  const id = requestId(error);
  return `${failureText(error, 'The database could not be started. Its data is not affected.')}${id ? ` (request ${id})` : ''}`;
}
