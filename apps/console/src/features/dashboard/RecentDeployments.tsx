import type { Deployment } from '@paddock/contract';
import { PageLink } from '../../navigation/links.tsx';
import { StageRail } from '../../ui/feedback/StageRail.tsx';
import { type Column, Table } from '../../ui/layout/Table.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { useNow } from '../../ui/text/time.ts';
import { environmentWords } from '../databases/messages.ts';
import { DeploymentStatus } from '../deployments/DeploymentStatus.tsx';
import { railNote } from '../deployments/stages.ts';

/** The latest five deployments, each with a link to its page. */
export function RecentDeployments({ rows }: { rows: readonly Deployment[] }) {
  const now = useNow();
  const columns: Column<Deployment>[] = [
    {
      head: 'Project',
      lead: true,
      cell: ({ id, project_name }) => (
        <PageLink to="/deployments/$id" params={{ id }} aria-label={`${project_name}, deployment ${id.slice(-4)}`}>
          {project_name}
        </PageLink>
      ),
    },
    { head: 'Status', phone: 'line', cell: (deployment) => <DeploymentStatus deployment={deployment} /> },
    {
      head: 'Stage',
      phone: 'hidden',
      cell: (deployment) => (
        <StageRail status={deployment.status} failedAt={deployment.failed_stage ?? undefined} note={railNote(deployment, now)} />
      ),
    },
    { head: 'Environment', phone: 'line', cell: ({ environment }) => environmentWords[environment] },
    { head: 'Created', phone: 'line', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  ];
  return <Table caption="Recent deployments" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
