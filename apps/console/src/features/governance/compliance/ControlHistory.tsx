import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { durationText } from '../trail/duration-text.ts';
import type { ControlDetail } from './queries.ts';
import { StateBadge } from './StateBadge.tsx';
import { controlLook } from './words.ts';

type Run = ControlDetail['history'][number];

const columns: Column<Run>[] = [
  { head: 'Checked', lead: true, cell: ({ checked_at }) => <Timestamp at={checked_at} /> },
  { head: 'Status', cell: ({ status }) => <StateBadge look={controlLook({ status })} /> },
  { head: 'Failed', numeric: true, cell: ({ failed }) => failed.toLocaleString('en') },
  { head: 'Duration', numeric: true, cell: ({ duration_ms }) => durationText(duration_ms) },
];

export const ControlHistory = ({ history }: { history: Run[] }) => (
  <section aria-labelledby="history">
    <h3 id="history" className="mb-1.5 text-sm font-semibold">
      History
    </h3>
    {history.length === 0 ? (
      <p className="text-muted">Not checked yet.</p>
    ) : (
      <Table caption="Runs of the control" compact columns={columns} rows={history} rowKey={({ checked_at }) => checked_at} />
    )}
  </section>
);
