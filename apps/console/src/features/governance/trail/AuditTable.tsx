import type { AuditLog } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { Button } from '../../../ui/controls/Button.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { durationText } from './duration-text.ts';
import { StatusMark, TypeMark } from './marks.tsx';

interface Props {
  rows: readonly AuditLog[];
  onView: (id: string) => void;
}

export function AuditTable({ rows, onView }: Props) {
  const columns: Column<AuditLog>[] = [
    { head: 'Timestamp', cell: ({ timestamp }) => <Timestamp at={timestamp} /> },
    {
      head: 'Agent',
      cell: ({ agent_name }) =>
        agent_name === null ? <span className="text-subtle">–</span> : <span className="wrap-anywhere">{shownText(agent_name, 60)}</span>,
    },
    { head: 'Type', cell: ({ action_type }) => <TypeMark type={action_type} /> },
    { head: 'Action', lead: true, cell: ({ action }) => <span className="wrap-anywhere">{shownText(action, 120)}</span> },
    { head: 'Duration', numeric: true, cell: ({ duration_ms }) => <span className="whitespace-nowrap">{durationText(duration_ms)}</span> },
    { head: 'Status', cell: ({ status }) => <StatusMark status={status} /> },
    {
      head: 'Details',
      quiet: true,
      cell: ({ id, seq, action }) => (
        <span className="flex py-1 sm:justify-end">
          <Button onClick={() => onView(id)} aria-label={`View record ${seq}, ${shownText(action, 60)}`}>
            View
          </Button>
        </span>
      ),
    },
  ];
  return <Table caption="Audit logs" broad columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
