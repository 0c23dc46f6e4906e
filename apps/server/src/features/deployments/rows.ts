import type { Deployment, DeploymentDetail } from '@paddock/contract';
import type { AgentUrl } from '../../config/config.ts';
import type { Tx } from '../../db/connect.ts';
import { deploymentLabel, environmentLabel } from '../../labels/host-labels.ts';

/** A row as the API shows it, still without its addresses. */
export type DeploymentRow = Omit<DeploymentDetail, 'url' | 'deployment_url'> & { subdomain: string };

export const originColumns = (tx: Tx) => tx`d.message, d.commit_sha, d.commit_branch, d.commit_dirty`;

export const deploymentColumns = (tx: Tx) => tx`
  d.id, d.project_id, p.name as project_name, p.subdomain, d.status, d.environment, d.database_mode, d.error_message,
  d.failed_stage, d.agent_type, d.trigger, d.source_name, d.source_deployment_id, ${originColumns(tx)}, d.is_current, d.created_at, d.building_at,
  d.deploying_at, d.deployed_at, d.ended_at, d.restart_at, d.variables_at,
  (
    select count(*)
    from unnest(d.restart_times) t
    where t > now() - interval '10 minutes'
  )::int as restarts`;

/** Adds addresses: only listening agents have one, and only the serving deployment shows the project's. */
export const withAddresses =
  (agentUrl: AgentUrl) =>
  <Row extends Omit<DeploymentRow, 'plan' | 'failure_choices' | 'databases' | 'protocols' | 'host_header'>>({
    subdomain,
    ...row
  }: Row): Omit<Row, 'subdomain'> & Pick<Deployment, 'url' | 'deployment_url'> => {
    const listens = row.status === 'active' && row.agent_type === 'web';
    return {
      ...row,
      url: listens && row.is_current ? agentUrl(environmentLabel(subdomain, row.environment)) : null,
      deployment_url: listens ? agentUrl(deploymentLabel(subdomain, row.id)) : null,
    };
  };
