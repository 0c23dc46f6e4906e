import type { Variable } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../api/Loaded.tsx';
import { PageLink } from '../../../navigation/links.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { environmentWords } from '../../databases/messages.ts';
import { variablesQuery } from '../../variables/queries.ts';

const maxShown = 12;

/** The names of a project's variables. No value is ever shown. */
export function VariablesCard({ projectId }: { projectId: string }) {
  const query = useQuery(variablesQuery(projectId));
  const names = byName(query.data ?? []);
  return (
    <Card
      title="Variables"
      aside={query.data ? <span className="text-sm text-muted">{names.length.toLocaleString('en')}</span> : null}
      actions={
        <PageLink to="/projects/$id/variables" params={{ id: projectId }}>
          {query.data && names.length === 0 ? 'Add variables' : 'All variables'}
        </PageLink>
      }
    >
      <Loaded query={query} failed="The variables could not be loaded. Nothing was changed." isSpaced skeleton={<Skeleton rows={3} />} />
      {query.data && names.length === 0 ? <p className="text-muted">No variables yet.</p> : null}
      {names.length > 0 ? (
        <ul aria-label="Variables" className="flex flex-col divide-y divide-border">
          {names.slice(0, maxShown).map(([key, environments]) => (
            <li key={key} className="flex flex-wrap items-center justify-between gap-x-3 py-1.5">
              <span className="min-w-0 font-mono text-mono break-all">{key}</span>
              <span className="text-sm text-muted">{environments.join(', ')}</span>
            </li>
          ))}
          {names.length > maxShown ? <li className="py-1.5 text-muted">{(names.length - maxShown).toLocaleString('en')} more</li> : null}
        </ul>
      ) : null}
    </Card>
  );
}

/** Each name once, with the environments that have it, production first. */
function byName(variables: readonly Variable[]): [key: string, environments: string[]][] {
  const names = new Map<string, string[]>();
  for (const environment of ['production', 'preview'] as const)
    for (const variable of variables)
      if (variable.environment === environment)
        names.set(variable.key, [...(names.get(variable.key) ?? []), environmentWords[environment]]);
  return [...names].toSorted(([a], [b]) => a.localeCompare(b));
}
