import type { ComplianceFramework } from '@paddock/contract';
import { Button } from '../../../ui/controls/Button.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { StateBadge } from './StateBadge.tsx';
import { frameworkLook, violationsText } from './words.ts';

interface Props {
  frameworks: readonly ComplianceFramework[];
  onView: (framework: string) => void;
}

export function FrameworkTable({ frameworks, onView }: Props) {
  const columns: Column<ComplianceFramework>[] = [
    { head: 'Framework', lead: true, cell: ({ name }) => name },
    { head: 'Status', cell: ({ status }) => <StateBadge look={frameworkLook(status)} /> },
    { head: 'Last checked', cell: ({ last_checked }) => <Checked at={last_checked} /> },
    { head: 'Violations', cell: ({ violations }) => violationsText(violations) },
    {
      head: 'Details',
      quiet: true,
      cell: ({ framework, name }) => (
        <span className="flex py-1 sm:justify-end">
          <Button onClick={() => onView(framework)} aria-label={`View Details of ${name}`}>
            View Details
          </Button>
        </span>
      ),
    },
  ];
  return <Table caption="Frameworks" columns={columns} rows={frameworks} rowKey={({ framework }) => framework} />;
}

export const Checked = ({ at }: { at: string | null }) =>
  at === null ? <span className="text-muted">Not checked yet</span> : <Timestamp at={at} />;
