import type { DeploymentDetail } from '@paddock/contract';
import { commitText } from '@paddock/contract/commit-text';
import { protocolText } from '@paddock/contract/protocol-names';
import { shownText } from '@paddock/contract/terminal-text';
import type { ReactNode } from 'react';
import { PageLink } from '../../../navigation/links.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { AppAddress } from '../AppAddress.tsx';
import { databaseWords, environmentWords } from '../messages.ts';

const triggers = { upload: 'Upload', sample: 'Sample agent', redeploy: 'Redeploy', rollback: 'Rollback' } as const;

export function DeploymentFacts({ deployment, isFolded = false }: { deployment: DeploymentDetail; isFolded?: boolean }) {
  const {
    url,
    deployment_url,
    environment,
    database_mode,
    trigger,
    source_name,
    source_deployment_id,
    is_current,
    restarts,
    protocols,
    host_header,
  } = deployment;
  const commit = commitText(deployment);
  const facts: [string, ReactNode][] = [
    ['Address', url ? <AppAddress key="url" url={url} /> : 'None: only the deployment that serves the environment has one'],
    ...(deployment_url ? ([['Fixed address', <AppAddress key="own" url={deployment_url} />]] satisfies [string, ReactNode][]) : []),
    ...(protocols?.length ? ([['Protocols', protocols.map(protocolText).join(', ')]] satisfies [string, string][]) : []),
    ...(host_header ? ([['Host header', `${host_header} (the agent accepts no other)`]] satisfies [string, string][]) : []),
    ['Environment', `${environmentWords[environment]}${is_current ? ', current' : ''}`],
    ['Database', <Databases key="databases" deployment={deployment} mode={databaseWords[database_mode]} />],
    [
      'Source',
      <span key="source" className="break-words">
        {source_name}, by {triggers[trigger].toLowerCase()}
        {source_deployment_id ? (
          <>
            {' of '}
            <PageLink to="/deployments/$id" params={{ id: source_deployment_id }}>
              …{source_deployment_id.slice(-4)}
            </PageLink>
          </>
        ) : null}
      </span>,
    ],
    ...(deployment.message ? ([['Message', shownText(deployment.message, 500)]] satisfies [string, string][]) : []),
    ...(commit ? ([['Commit', shownText(commit, 300)]] satisfies [string, string][]) : []),
    ['Created', <Timestamp key="created" at={deployment.created_at} />],
    ...(deployment.deployed_at
      ? ([['Deployed', <Timestamp key="deployed" at={deployment.deployed_at} />]] satisfies [string, ReactNode][])
      : []),
    ...(deployment.ended_at ? ([['Ended', <Timestamp key="ended" at={deployment.ended_at} />]] satisfies [string, ReactNode][]) : []),
    ...(restarts > 0 ? ([['Restarts', `${restarts} after a crash in the last 10 minutes`]] satisfies [string, ReactNode][]) : []),
  ];
  return (
    <Card title="Details" isFolded={isFolded}>
      <dl className="grid items-baseline grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-muted">{term}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

const typeWords = { postgresql: 'PostgreSQL', redis: 'Redis' } as const;

/** The database mode, and the variables through which the agent gets each database. */
function Databases({ deployment: { databases, project_id, environment }, mode }: { deployment: DeploymentDetail; mode: string }) {
  if (databases.length === 0) return mode;
  return (
    <>
      {mode}
      <ul>
        {databases.map(({ id, type, env_var, status }) => (
          <li key={id}>
            <code className="font-mono text-mono">{env_var}</code>:{' '}
            <PageLink
              to="/databases"
              search={{ project: project_id, environment }}
              aria-label={`${env_var}: ${typeWords[type]}, ${status}`}
            >
              {typeWords[type]}
            </PageLink>
            , {status}
          </li>
        ))}
      </ul>
    </>
  );
}
