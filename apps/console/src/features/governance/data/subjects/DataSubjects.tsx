import type { DataSubjectRequest } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Loaded } from '../../../../api/Loaded.tsx';
import { Button } from '../../../../ui/controls/Button.tsx';
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../../ui/layout/Card.tsx';
import { type Column, Table } from '../../../../ui/layout/Table.tsx';
import { Timestamp } from '../../../../ui/text/Timestamp.tsx';
import { Icon } from '../../../../ui/theme/Icon.tsx';
import { StateBadge } from '../../compliance/StateBadge.tsx';
import type { Go } from '../../view.ts';
import { SubjectDialog } from './SubjectDialog.tsx';
import { SubjectForm } from './SubjectForm.tsx';
import { subjectsQuery } from './subject-requests.ts';
import { kindWords, messages, outcomeText, requestLook } from './words.ts';

/** Requests to find or erase a person's data, and their progress. */
export function DataSubjects({ go }: { go: Go }) {
  const { request, open, log, lineage } = useSearch({ from: '/shell/governance' });
  const list = useQuery(subjectsQuery);
  const view = (id: string) => go({ request: id, open: undefined }, { replace: false });
  const close = () => go({ request: undefined, open: undefined });
  return (
    <Card
      title="Data-Subject Requests"
      actions={
        <Button icon={<Icon of={Plus} />} onClick={() => go({ open: 'request' }, { replace: false })}>
          New Request
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="max-w-text text-sm text-muted">
          Find or erase the stored data of a person in records, logs and traces. Each request is due 30 days after it was made.
        </p>
        <Loaded query={list} failed={messages.list} skeleton={<Skeleton rows={3} />} />
        {list.data?.length === 0 ? <p>No requests yet.</p> : null}
        {list.data && list.data.length > 0 ? (
          <Table caption="Data-subject requests" broad columns={columns(view)} rows={list.data} rowKey={({ id }) => id} />
        ) : null}
      </div>
      {open === 'request' ? <SubjectForm onDone={view} onClose={close} /> : null}
      {/* Hidden while a record or a lineage opened from it is shown; closing that returns here. */}
      {request && open !== 'request' && !log && !lineage ? <SubjectDialog key={request} id={request} go={go} onClose={close} /> : null}
    </Card>
  );
}

const nameOf = ({ id, reference }: DataSubjectRequest) => (reference === '' ? `…${id.slice(-4)}` : shownText(reference, 80));

const columns = (view: (id: string) => void): Column<DataSubjectRequest>[] => [
  { head: 'Reference', lead: true, cell: (row) => <span className="wrap-anywhere">{nameOf(row)}</span> },
  { head: 'Kind', cell: ({ kind }) => kindWords[kind] },
  { head: 'Status', cell: (row) => <StateBadge look={requestLook(row)} /> },
  { head: 'Outcome', cell: outcomeText },
  { head: 'Requested', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  { head: 'Due', cell: ({ due_at }) => <Timestamp at={due_at} /> },
  {
    head: 'Actions',
    quiet: true,
    cell: (row) => (
      <Button variant="quiet" aria-label={`View request ${nameOf(row)}`} onClick={() => view(row.id)}>
        View
      </Button>
    ),
  },
];
