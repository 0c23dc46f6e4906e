import type { ControlState } from '@paddock/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { Checked } from './FrameworkTable.tsx';
import { StateBadge } from './StateBadge.tsx';
import { controlLook } from './words.ts';

interface Props {
  controls: readonly ControlState[];
  onView: (id: string) => void;
}

export function ControlTable({ controls, onView }: Props) {
  const columns: Column<ControlState>[] = [
    {
      head: 'Control',
      lead: true,
      cell: ({ control, title }) => (
        <span>
          <span className="mr-2 font-mono text-mono whitespace-nowrap">{control}</span>
          {title}
        </span>
      ),
    },
    { head: 'Status', cell: (state) => <StateBadge look={controlLook(state)} /> },
    { head: 'Checked', cell: ({ checked_at }) => <Checked at={checked_at} /> },
    { head: 'Clauses', cell: ({ clauses }) => <span className="text-sm text-muted wrap-anywhere">{clauses.join(', ')}</span> },
    {
      head: 'Evidence',
      quiet: true,
      cell: ({ control }) => (
        <span className="flex py-1 sm:justify-end">
          <Button onClick={() => onView(control)} aria-label={`View control ${control}`}>
            View
          </Button>
        </span>
      ),
    },
  ];
  return (
    <section aria-labelledby="controls">
      <h3 id="controls" className="mb-1.5 text-sm font-semibold">
        Controls
      </h3>
      <Table caption="Controls" columns={columns} rows={controls} rowKey={({ control }) => control} />
    </section>
  );
}
