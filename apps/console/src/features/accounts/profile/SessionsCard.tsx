import type { SessionInfo } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Badge } from '../../../ui/feedback/Badge.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { type Column, Table } from '../../../ui/layout/Table.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { sessionsQuery, useEndOtherSessions, useEndSession } from './queries.ts';

/** The person's sessions, each with a button to end it. */
export function SessionsCard() {
  const sessions = useQuery(sessionsQuery);
  const end = useEndSession();
  const [asks, setAsks] = useState(false);
  const others = sessions.data?.filter(({ is_current }) => !is_current).length ?? 0;
  const columns: Column<SessionInfo>[] = [
    { head: 'Device', lead: true, cell: ({ device }) => device },
    { head: 'Address', cell: ({ ip }) => <span className="font-mono text-mono break-all">{ip}</span> },
    { head: 'Last used', cell: ({ last_used_at }) => <Timestamp at={last_used_at} /> },
    { head: 'Signed in', cell: ({ created_at }) => <Timestamp at={created_at} /> },
    {
      head: 'Actions',
      quiet: true,
      cell: ({ id, device, ip, is_current }) => (
        <span className="flex py-1 sm:justify-end">
          {is_current ? (
            <Badge tone="info" glyph="disc">
              This device
            </Badge>
          ) : (
            <Button
              aria-label={`End the session of ${device} at ${ip}`}
              busy={end.isPending && end.variables === id}
              onClick={() => end.mutate(id)}
            >
              End
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Card title="Sessions" actions={others > 0 ? <Button onClick={() => setAsks(true)}>End all others</Button> : undefined}>
      <p className="mb-3 max-w-text text-base text-muted">
        Where you are signed in. An ended session is signed out on its next request. If you do not recognise one, change your password.
      </p>
      <Loaded query={sessions} failed="Your sessions could not be loaded." skeleton={<Skeleton rows={2} />}>
        {(data) => <Table caption="Sessions" columns={columns} rows={data} rowKey={({ id }) => id} />}
      </Loaded>
      {/* The error is below the table: above, it would move the rows under the pointer. */}
      <div className="mt-3">
        <FormError>{failureText(end.error, 'The session could not be ended.')}</FormError>
      </div>
      {asks ? <EndOthersDialog count={others} onClose={() => setAsks(false)} /> : null}
    </Card>
  );
}

function EndOthersDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const end = useEndOtherSessions();
  return (
    <ConfirmDialog
      open
      danger
      title={`End ${plural(count, 'other session')}?`}
      confirmLabel="End all others"
      busy={end.isPending}
      error={failureText(end.error, 'The sessions could not be ended.')}
      onClose={onClose}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
    >
      You stay signed in here. API keys keep working.
    </ConfirmDialog>
  );
}
