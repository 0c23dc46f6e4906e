import type { Deployment, Project } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { useQuery } from '@tanstack/react-query';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { StageRail } from '../../../ui/feedback/StageRail.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { useNow } from '../../../ui/text/time.ts';
import { environmentWords } from '../../databases/messages.ts';
import { DeploymentMenu } from '../../deployments/DeploymentMenu.tsx';
import { DeploymentStatus } from '../../deployments/DeploymentStatus.tsx';
import { may } from '../../deployments/may.ts';
import { OriginText } from '../../deployments/OriginText.tsx';
import { actorQuery, type DeploymentAction } from '../../deployments/queries.ts';
import { railNote } from '../../deployments/stages.ts';

interface Props {
  project: Project;
  rows: readonly Deployment[];
  total: number;
  onDeploy: () => void;
  onAction: (action: DeploymentAction, deployment: Deployment) => void;
}

/** The newest deployments of a project: progress, actor, time and actions of each. */
export function LatestDeployments({ project: { id, name }, rows, total, onDeploy, onAction }: Props) {
  const now = useNow();
  return (
    <section aria-labelledby="deployments" className="mb-4 min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="deployments" className="text-lg font-bold">
          Latest deployments
        </h2>
        {total > 0 ? (
          <PageLink to="/deployments" search={{ project: id }}>
            {total > rows.length ? `All ${total.toLocaleString('en')} deployments` : 'View Deployments'}
          </PageLink>
        ) : null}
      </div>
      {rows.length > 0 ? (
        <Table broad caption="Latest deployments" columns={columnsAt(now, onAction)} rows={rows} rowKey={(deployment) => deployment.id} />
      ) : (
        <EmptyState
          action={
            <Button variant="primary" onClick={onDeploy}>
              Deploy agent
            </Button>
          }
          command={`paddock deploy --project ${name}`}
        >
          No deployments yet. Upload a ZIP of the agent's code to get a running agent with an address.
        </EmptyState>
      )}
    </section>
  );
}

const columnsAt = (now: number, onAction: Props['onAction']): Column<Deployment>[] => [
  { head: 'Deployment', lead: true, cell: (deployment) => <SourceCell deployment={deployment} /> },
  {
    head: 'Status',
    phone: 'line',
    cell: (deployment) => (
      <span className="flex flex-wrap items-center gap-x-1.5">
        <DeploymentStatus deployment={deployment} />
        {deployment.is_current ? <span className="text-xs text-muted">current</span> : null}
      </span>
    ),
  },
  {
    head: 'Stage',
    phone: 'hidden',
    cell: (deployment) => (
      <StageRail status={deployment.status} failedAt={deployment.failed_stage ?? undefined} note={railNote(deployment, now)} />
    ),
  },
  { head: 'Environment', phone: 'line', cell: ({ environment }) => environmentWords[environment] },
  { head: 'By', phone: 'hidden', cell: ({ id }) => <Actor id={id} /> },
  { head: 'Created', phone: 'line', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  { head: 'Actions', numeric: true, phone: 'corner', cell: (deployment) => <Actions deployment={deployment} onAction={onAction} /> },
];

const triggers = { upload: 'Upload', sample: 'Sample agent', redeploy: 'Redeploy', rollback: 'Rollback' } as const;

function SourceCell({ deployment }: { deployment: Deployment }) {
  const { id, source_name, trigger } = deployment;
  return (
    <span className="flex flex-col items-start py-1 max-sm:py-0">
      <PageLink to="/deployments/$id" params={{ id }} aria-label={`${source_name}, deployment ${id.slice(-4)}`}>
        <span className="break-all">{source_name}</span>
      </PageLink>
      <span className="text-sm font-normal text-muted">
        {triggers[trigger]} <span className="font-mono text-mono">…{id.slice(-4)}</span>
      </span>
      <OriginText of={deployment} />
    </span>
  );
}

/** The person or key that requested a deployment; empty while loading. */
function Actor({ id }: { id: string }) {
  const { data, error } = useQuery(actorQuery(id));
  if (error) return <span className="text-muted">Could not be loaded</span>;
  return data ? `${shownText(data.name ?? data.id, 60)}${data.type === 'key' ? ', API key' : ''}` : null;
}

/** The likeliest action as a button, the rest in the menu. */
function Actions({ deployment, onAction }: { deployment: Deployment; onAction: Props['onAction'] }) {
  const where = `deployment ${deployment.id.slice(-4)}`;
  return (
    <span className="flex flex-wrap items-center gap-1 py-1 @min-[62rem]:flex-nowrap @min-[62rem]:justify-end">
      <span className="contents max-sm:hidden">
        {may.rollback(deployment) ? (
          <Button onClick={() => onAction('rollback', deployment)} aria-label={`Roll back to ${where}`}>
            Roll back
          </Button>
        ) : null}
        {may.redeploy(deployment) && !may.rollback(deployment) ? (
          <Button onClick={() => onAction('redeploy', deployment)} aria-label={`Redeploy ${where}`}>
            Redeploy
          </Button>
        ) : null}
      </span>
      <DeploymentMenu deployment={deployment} onAction={(action) => onAction(action, deployment)} />
    </span>
  );
}
