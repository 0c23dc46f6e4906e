import type { PiiStats } from '@paddock/contract';
import { countText } from '@paddock/contract/figures';
import { ArrowDown, ArrowRight, Database, Download, type LucideIcon, ScanText } from 'lucide-react';
import { Fragment } from 'react';
import { Card } from '../../../ui/layout/Card.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';

interface Step {
  name: string;
  icon: LucideIcon;
  says: string;
  figures: [term: string, count: number | undefined][];
}

/** The steps from input through processing to output, with their counts. */
export function FlowDiagram({ stats, stored }: { stats: PiiStats; stored: number | undefined }) {
  const steps: Step[] = [
    {
      name: 'Input',
      icon: Download,
      says: 'Requests to agents and their responses pass through the gateway.',
      figures: [['bodies scanned', stats.total_scans]],
    },
    {
      name: 'Processing',
      icon: ScanText,
      says: 'Personal data is detected before anything is stored.',
      figures: [
        ['detected', stats.pii_detected],
        ['redacted', stats.auto_redacted],
      ],
    },
    {
      name: 'Output',
      icon: Database,
      says: 'The audit trail stores the result.',
      figures: [['records stored', stored]],
    },
  ];
  return (
    <Card title="Data Flow">
      <ol className="flex list-none gap-3 max-sm:flex-col">
        {steps.map(({ name, icon, says, figures }, index) => (
          <Fragment key={name}>
            {index > 0 ? (
              <li aria-hidden="true" className="flex items-center justify-center text-muted">
                <span className="max-sm:hidden">
                  <Icon of={ArrowRight} />
                </span>
                <span className="sm:hidden">
                  <Icon of={ArrowDown} />
                </span>
              </li>
            ) : null}
            <li className="min-w-0 flex-1 border border-border px-3.5 py-2.5">
              <h3 className="flex items-center gap-2 font-semibold">
                <Icon of={icon} />
                {name}
              </h3>
              <p className="my-1 text-sm text-muted">{says}</p>
              <dl className="flex flex-wrap gap-x-5">
                {figures.map(([term, count]) => (
                  <div key={term} className="flex flex-row-reverse items-baseline justify-end gap-1.5">
                    <dt className="text-sm text-muted">{term}</dt>
                    <dd className="text-lg font-bold" title={count?.toLocaleString('en')}>
                      {count === undefined ? '–' : countText(count)}
                    </dd>
                  </div>
                ))}
              </dl>
            </li>
          </Fragment>
        ))}
      </ol>
    </Card>
  );
}
