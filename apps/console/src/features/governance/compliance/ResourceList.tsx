import type { ControlResource } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { shownText } from '@paddock/contract/terminal-text';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { JsonBlock } from '../JsonBlock.tsx';
import { evidenceRows } from './evidence-rows.ts';
import { Fix } from './Fix.tsx';
import { StateBadge } from './StateBadge.tsx';
import { controlLook } from './words.ts';

const step = 25;

interface Props {
  resources: readonly ControlResource[];
  total: number;
  onWaive: (resource: string) => void;
}

/** Findings of the last run by resource, with the evidence. */
export function ResourceList({ resources, total, onWaive }: Props) {
  const [most, setMost] = useState(step);
  return (
    <section aria-labelledby="evidence">
      <h3 id="evidence" className="mb-1.5 text-sm font-semibold">
        Evidence
        <span className="ml-2 font-normal text-muted">{plural(total, 'resource')}</span>
      </h3>
      {resources.length === 0 ? <p className="text-muted">There was nothing to check.</p> : null}
      <ul className="list-none border border-border empty:hidden">
        {resources.slice(0, most).map((resource) => (
          <Resource key={`${resource.type} ${resource.id}`} of={resource} onWaive={onWaive} />
        ))}
      </ul>
      {resources.length > most ? (
        <div className="mt-2">
          <Button onClick={() => setMost(most + step)}>Show more</Button>
        </div>
      ) : null}
      {total > resources.length && most >= resources.length ? (
        <p className="mt-2 text-sm text-muted">
          The first {resources.length.toLocaleString('en')} of {total.toLocaleString('en')} are shown.
        </p>
      ) : null}
    </section>
  );
}

function Resource({ of, onWaive }: { of: ControlResource; onWaive: (resource: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const name = shownText(of.name ?? of.id, 120);
  return (
    <li className="flex flex-col gap-1.5 border-t border-border px-3 py-2 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <StateBadge look={controlLook({ status: of.status, is_waived: of.waiver_id !== null })} />
        <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
        <span className="text-sm text-muted">{of.type.replaceAll('_', ' ')}</span>
        {of.status === 'failed' && of.waiver_id === null ? (
          <span className="ml-auto">
            <Button variant="quiet" onClick={() => onWaive(of.id)} aria-label={`Waive the finding on ${name}`}>
              Waive
            </Button>
          </span>
        ) : null}
      </div>
      <p className="wrap-anywhere">{shownText(of.finding, 500)}</p>
      <dl className="grid gap-x-6 text-sm sm:grid-cols-2">
        {evidenceRows(of.evidence).map(([term, value]) => (
          <div key={term} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-3">
            <dt className="text-muted wrap-anywhere">{term}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {of.clauses.length > 0 ? <p className="text-sm text-muted wrap-anywhere">Violates {of.clauses.join(', ')}</p> : null}
      <Fix fix={of.fix} />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="min-h-6 cursor-pointer text-sm text-muted">
          As JSON<span className="sr-only">, evidence of {name}</span>
        </summary>
        {isOpen ? <JsonBlock title={`Evidence of ${name}`} value={of.evidence} /> : null}
      </details>
    </li>
  );
}
