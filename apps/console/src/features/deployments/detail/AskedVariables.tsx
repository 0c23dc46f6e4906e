import type { DeploymentDetail } from '@paddock/contract';
import { addressVariables } from '@paddock/contract/database-variables';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { variablesQuery } from '../../variables/queries.ts';

type Asked = NonNullable<NonNullable<DeploymentDetail['plan']>['asked_variables']>;

/** Variables that the archive reads or names, and which of them are set. */
export function AskedVariables({ deployment }: { deployment: DeploymentDetail }) {
  const { project_id, environment, plan, databases } = deployment;
  const { data } = useQuery(variablesQuery(project_id));
  const asked = plan?.asked_variables ?? [];
  if (asked.length === 0) return null;
  const ofDatabases = databases.flatMap(({ type }) => addressVariables(asked, type)).map(({ variable }) => variable.name);
  const set = new Set([
    ...ofDatabases,
    ...(data ?? []).filter((each) => each.environment === environment).map(({ key }) => key),
    ...databases.map(({ env_var }) => env_var),
  ]);
  const list = (shown: Asked) => (
    <ul className="flex flex-col gap-1.5">
      {shown.map(({ name, required, at, example }) => (
        <li key={name} className="flex flex-wrap gap-x-3">
          <code className="font-mono text-mono break-all">{name}</code>
          <span className={`${data ? '' : 'invisible'} ${required && !set.has(name) ? 'text-warning-fg' : 'text-muted'}`}>
            {set.has(name) ? 'Set' : 'Not set'}
          </span>
          <span className="min-w-0 text-sm break-all text-muted">
            {at}
            {example ? `, for example ${example}` : null}
          </span>
        </li>
      ))}
    </ul>
  );
  const [needed, optional] = [true, false].map((wanted) => asked.filter(({ required }) => required === wanted)) as [Asked, Asked];
  return (
    <Card
      title="Variables the agent uses"
      actions={
        <ButtonLink to="/projects/$id/variables" params={{ id: project_id }} search={environment === 'preview' ? { environment } : {}}>
          Set variables
        </ButtonLink>
      }
    >
      {needed.length > 0 ? list(needed) : <p className="text-muted">No required variables.</p>}
      {optional.length > 0 ? (
        <details className="mt-3">
          <summary className="text-sm font-semibold text-muted">Optional: {optional.length}</summary>
          <div className="mt-2">{list(optional)}</div>
        </details>
      ) : null}
    </Card>
  );
}
