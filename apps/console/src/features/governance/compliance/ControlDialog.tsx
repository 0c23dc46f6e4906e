import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import type { Go } from '../view.ts';
import { ControlHistory } from './ControlHistory.tsx';
import { Checked } from './FrameworkTable.tsx';
import { type ControlDetail, controlQuery } from './queries.ts';
import { ResourceList } from './ResourceList.tsx';
import { StateBadge } from './StateBadge.tsx';
import { Waivers } from './Waivers.tsx';
import { controlLook, everyText, messages } from './words.ts';

/**
 * A control, with the clauses of the framework from which it was opened: the evidence and findings of its last run, earlier runs, and
 * waivers.
 */
export function ControlDialog({ id, framework, go }: { id: string; framework: string | undefined; go: Go }) {
  const query = useQuery(controlQuery(id, framework));
  // '' means all findings of the control.
  const [waiving, setWaiving] = useState<string>();
  const close = () => go({ control: undefined });
  return (
    <Dialog
      open
      size="large"
      onClose={close}
      title={query.data ? `${query.data.control}: ${query.data.title}` : 'Control'}
      description={query.data?.looked_at}
      footer={
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Loaded query={query} failed={messages.control} skeleton={<Skeleton rows={8} />}>
          {(data) => (
            <>
              <Facts of={data} />
              <ResourceList resources={data.resources} total={data.resources_total} onWaive={setWaiving} />
              <Waivers of={data} waiving={waiving} onWaiving={setWaiving} />
              <ControlHistory history={data.history} />
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}

function Facts({ of: state }: { of: ControlDetail }) {
  const facts: [term: string, value: ReactNode][] = [
    ['Status', <StateBadge key="status" look={controlLook(state)} />],
    ['Checked', <Checked key="at" at={state.checked_at} />],
    ['Interval', everyText(state.every_seconds)],
    ['Checked by', state.version === null ? '–' : `Paddock ${state.version}`],
    ['Clauses', state.clauses.join(', ')],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
      {facts.map(([term, value]) => (
        <div key={term} className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-x-3 last:sm:col-span-2">
          <dt className="text-muted">{term}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
