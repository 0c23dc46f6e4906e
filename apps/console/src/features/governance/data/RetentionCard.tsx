import type { GovernanceSummary } from '@paddock/contract';
import type { ReactNode } from 'react';
import { isDemo, useSession } from '../../../api/session.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';

/** For how long payloads are kept, and what the last run of the deletion did. */
export function RetentionCard({ retention }: { retention: GovernanceSummary['retention'] }) {
  const { retention_days, last_run_at, last_deleted } = retention;
  const isInDemo = isDemo(useSession()?.token);
  const rows: [term: string, value: ReactNode][] = [
    ['Retention Period', `${retention_days.toLocaleString('en')} ${retention_days === 1 ? 'day' : 'days'}`],
    // Until it ran once, nothing shows that it does.
    ['Auto-Delete', last_run_at === null ? 'Not verified' : 'Enabled'],
    ['Last run', last_run_at === null ? 'Not run yet' : <Timestamp key="run" at={last_run_at} />],
    ...(last_deleted === null ? [] : [['Payloads it deleted', last_deleted.toLocaleString('en')] as [string, string]]),
    // Nothing measures it yet: the sample figure of the demo alone.
    ...(isInDemo ? [['Backup Policy', 'Daily'] as [string, string]] : []),
  ];
  return (
    <Card title="Data Retention">
      <dl className="flex flex-col gap-1">
        {rows.map(([term, value]) => (
          <div key={term} className="flex justify-between gap-4">
            <dt className="text-muted">{term}</dt>
            <dd className="font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-muted">
        After that time bodies, addresses and names are removed from the records. Who did what when stays, by ids, and the chain can still
        be verified.
      </p>
    </Card>
  );
}
