import { PageLink } from '../../../navigation/links.tsx';
import { TextLink } from '../../../ui/controls/TextLink.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { environmentWords } from '../../databases/messages.ts';
import { DeploymentStatus } from '../../deployments/DeploymentStatus.tsx';
import type { EnvironmentStatus } from '../project-status.ts';

/** The deployment that serves each environment, with links to its app, metrics and traces. */
export function EnvironmentsTable({ rows }: { rows: readonly EnvironmentStatus[] }) {
  return (
    <section aria-labelledby="environments" className="mb-4 min-w-0">
      <h2 id="environments" className="mb-2 text-lg font-bold">
        Environments
      </h2>
      <Table broad caption="Environments" columns={columns} rows={rows} rowKey={({ environment }) => environment} />
    </section>
  );
}

const columns: Column<EnvironmentStatus>[] = [
  { head: 'Environment', lead: true, cell: ({ environment }) => environmentWords[environment] },
  { head: 'Status', cell: (status) => <StatusCell status={status} /> },
  {
    head: 'Deployment',
    cell: ({ shown, environment }) =>
      shown ? (
        <PageLink to="/deployments/$id" params={{ id: shown.id }} aria-label={`Deployment ${shown.id.slice(-4)} in ${environment}`}>
          …{shown.id.slice(-4)}
        </PageLink>
      ) : (
        '–'
      ),
  },
  { head: 'Deployed', cell: ({ shown }) => (shown?.deployed_at ? <Timestamp at={shown.deployed_at} /> : 'Not deployed') },
  {
    head: 'App',
    cell: ({ shown, environment }) =>
      shown?.url ? (
        <TextLink href={shown.url} target="_blank" rel="noreferrer" aria-label={`View App in ${environment}`}>
          View App
        </TextLink>
      ) : (
        '–'
      ),
  },
  { head: 'Monitoring', cell: (status) => <WatchLinks status={status} /> },
];

function StatusCell({ status: { shown, newer } }: { status: EnvironmentStatus }) {
  if (!shown) return <span className="text-muted">Nothing deployed</span>;
  return (
    <span className="flex flex-col items-start gap-1 py-1">
      <DeploymentStatus deployment={shown} />
      {newer ? (
        <span className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
          Newest: <DeploymentStatus deployment={newer} />
        </span>
      ) : null}
    </span>
  );
}

/** Only an agent that has run has figures and traces. */
function WatchLinks({ status: { shown, environment } }: { status: EnvironmentStatus }) {
  if (!shown?.deployed_at) return '–';
  const { id } = shown;
  return (
    <span className="flex flex-wrap gap-x-3">
      <PageLink to="/metrics" search={{ deployment: id }} aria-label={`Metrics of ${environment}`}>
        Metrics
      </PageLink>
      <PageLink to="/deployments/$id" params={{ id }} search={{ tab: 'traces' }} aria-label={`Traces of ${environment}`}>
        Traces
      </PageLink>
    </span>
  );
}
