import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import type { Go, GovernanceView } from '../view.ts';
import { PolicyCard } from './PolicyCard.tsx';
import { PolicyDialogs } from './PolicyDialogs.tsx';
import { policiesQuery } from './queries.ts';
import { messages } from './words.ts';

/** The policies of the team, and which of them are enforced. */
export function Policies({ view, go }: { view: GovernanceView; go: Go }) {
  const query = useQuery(policiesQuery);
  const { data } = query;
  const create = (
    <Button variant="primary" icon={<Icon of={Plus} />} onClick={() => go({ open: 'new' }, { replace: false })}>
      Create Policy
    </Button>
  );
  return (
    <section aria-labelledby="policies">
      <div className="mb-2.5 flex min-h-8 flex-wrap items-center justify-between gap-2.5">
        <h2 id="policies" className="text-md font-bold">
          Policies
        </h2>
        {data?.length === 0 ? null : create}
      </div>
      <Loaded
        query={query}
        failed={messages.list}
        isSpaced
        skeleton={<Skeleton kind="cards" rows={3} label="Loading governance data..." />}
      />
      {data?.length === 0 ? (
        <EmptyState action={create} command="paddock policy apply policies.json">
          No policies yet. A policy holds rules, one per line; Paddock enforces those it understands while the policy is active.
        </EmptyState>
      ) : null}
      <ul className="grid list-none gap-3 lg:grid-cols-2">
        {data?.map((policy) => (
          <PolicyCard
            key={policy.id}
            policy={policy}
            onView={() => go({ policy: policy.id }, { replace: false })}
            onEdit={() => go({ policy: policy.id, open: 'edit' }, { replace: false })}
          />
        ))}
      </ul>
      <PolicyDialogs view={view} go={go} policies={data} />
    </section>
  );
}
