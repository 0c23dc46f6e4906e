import type { Deployment } from '@paddock/contract';
import { FileText } from 'lucide-react';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { TextLink } from '../../../ui/controls/TextLink.tsx';
import { StageRail } from '../../../ui/feedback/StageRail.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { useZone, type Zone } from '../../../ui/preferences/zone.ts';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { absoluteClock, absoluteDate, useNow } from '../../../ui/text/time.ts';
import { DeploymentMenu } from '../DeploymentMenu.tsx';
import { DeploymentStatus } from '../DeploymentStatus.tsx';
import { databaseWords, environmentWords } from '../messages.ts';
import { OriginText } from '../OriginText.tsx';
import type { DeploymentAction } from '../queries.ts';
import { railNote } from '../stages.ts';

interface Props {
  rows: readonly Deployment[];
  onLogs: (deployment: Deployment) => void;
  onAction: (action: DeploymentAction, deployment: Deployment) => void;
}

export function DeploymentsTable({ rows, onLogs, onAction }: Props) {
  const now = useNow();
  const zone = useZone();
  const columns: Column<Deployment>[] = [
    { head: 'Deployment ID', phone: 'hidden', cell: ({ id }) => <ShortId id={id} /> },
    { head: 'Project', lead: true, cell: (deployment) => <ProjectCell deployment={deployment} /> },
    { head: 'Status', phone: 'line', cell: (deployment) => <StatusCell deployment={deployment} /> },
    {
      head: 'Stage',
      phone: 'hidden',
      cell: (deployment) => (
        <StageRail status={deployment.status} failedAt={deployment.failed_stage ?? undefined} note={railNote(deployment, now)} />
      ),
    },
    { head: 'Environment', phone: 'line', cell: ({ environment }) => environmentWords[environment] },
    { head: 'Database', phone: 'hidden', cell: ({ database_mode }) => databaseWords[database_mode] },
    { head: 'Deployed', phone: 'line', cell: (deployment) => <DeployedCell deployment={deployment} zone={zone} /> },
    {
      head: 'Actions',
      numeric: true,
      phone: 'corner',
      cell: (deployment) => (
        <span className="flex flex-wrap items-center gap-1 py-1 @min-[62rem]:flex-nowrap @min-[62rem]:justify-end">
          <span className="contents max-sm:hidden">
            {deployment.status === 'active' ? (
              <Button
                onClick={() => onAction('stop', deployment)}
                aria-label={`Stop ${deployment.project_name}, ${deployment.id.slice(-4)}`}
              >
                Stop
              </Button>
            ) : null}
            <Button onClick={() => onLogs(deployment)} aria-label={`Logs of ${deployment.project_name}, ${deployment.id.slice(-4)}`}>
              Logs
            </Button>
          </span>
          <DeploymentMenu
            deployment={deployment}
            onAction={(action) => onAction(action, deployment)}
            more={[{ label: 'Logs', icon: FileText, onSelect: () => onLogs(deployment) }]}
          />
        </span>
      ),
    },
  ];
  return <Table broad caption="Deployments, newest first" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

/** The first 16 characters of an id in two lines; the whole id is on its page. */
function ShortId({ id }: { id: string }) {
  return (
    <span className="font-mono text-mono leading-4 font-normal">
      <PageLink to="/deployments/$id" params={{ id }} title={id}>
        {id.slice(0, 8)}
        <br />
        {id.slice(8, 16)}
      </PageLink>
    </span>
  );
}

function ProjectCell({ deployment }: { deployment: Deployment }) {
  const { id, project_name, url, is_current } = deployment;
  return (
    <span className="flex flex-col items-start gap-1.5 py-1 max-sm:py-0">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-semibold break-words sm:max-w-44">
          <PageLink to="/deployments/$id" params={{ id }} aria-label={`${project_name}, deployment ${id.slice(-4)}`}>
            {project_name}
          </PageLink>
        </span>
        {is_current ? <span className="text-xs font-normal text-muted sm:hidden">current</span> : null}
      </span>
      <span className="contents max-sm:hidden">
        {url || is_current ? (
          <span className="flex items-center gap-2 text-sm whitespace-nowrap">
            {url ? (
              <TextLink href={url} target="_blank" rel="noreferrer" aria-label={`View App ${project_name}`}>
                View App
              </TextLink>
            ) : null}
            {is_current ? <span className="text-xs font-normal text-muted">current</span> : null}
          </span>
        ) : null}
        <OriginText of={deployment} />
      </span>
    </span>
  );
}

function StatusCell({ deployment }: { deployment: Deployment }) {
  const { status, error_message } = deployment;
  return (
    <span className="flex flex-col items-start gap-1 py-1 max-sm:py-0 @min-[62rem]:max-w-52">
      <DeploymentStatus deployment={deployment} />
      {(status === 'failed' || status === 'completed') && error_message ? (
        <span
          className={`line-clamp-2 text-sm break-words sm:line-clamp-3 ${status === 'failed' ? 'text-error-fg' : 'text-warning-fg'}`}
          title={error_message}
        >
          {error_message}
        </span>
      ) : null}
    </span>
  );
}

function DeployedCell({ deployment: { deployed_at, created_at }, zone }: { deployment: Deployment; zone: Zone }) {
  if (deployed_at === null)
    return (
      <span className="flex flex-col text-sm whitespace-nowrap text-muted">
        <span className="max-sm:hidden">Not deployed</span>
        <span>
          <span className="sr-only">Created </span>
          <Timestamp at={created_at} />
        </span>
      </span>
    );
  const at = Date.parse(deployed_at);
  return (
    <time
      dateTime={deployed_at}
      className="flex flex-col whitespace-nowrap max-sm:flex-row max-sm:items-baseline max-sm:gap-1.5 max-sm:text-sm"
    >
      {absoluteDate(at, zone)}
      <span className="text-sm text-muted">{absoluteClock(at, zone)}</span>
    </time>
  );
}
