import type { GovernanceSummary } from '@paddock/contract';
import { plural } from '@paddock/contract/plural';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../../../ui/layout/Card.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { type ControlDetail, controlQuery } from '../compliance/queries.ts';

/** The control that verifies that each managed database was backed up within the last day. */
const backupControl = 'BCK-01';

/** The schedule is always daily; the control shows whether the backups were made. */
function backupText(control: Pick<ControlDetail, 'status' | 'is_stale'> | undefined): string {
  return (!control?.is_stale && control?.status && backupTexts[control.status]) || 'Not verified';
}
const backupTexts: Partial<Record<ControlDetail['status'], string>> = {
  passed: 'Daily',
  failed: 'Daily, missed',
  not_applicable: 'No managed database',
};

/** The retention of payloads, and the result of the last deletion run. */
export function RetentionCard({ retention }: { retention: GovernanceSummary['retention'] }) {
  const { retention_days, last_run_at, last_deleted } = retention;
  const backups = useQuery(controlQuery(backupControl, undefined));
  const rows: [term: string, value: ReactNode][] = [
    ['Retention Period', plural(retention_days, 'day')],
    // Before its first run, there is no proof that the deletion works.
    ['Auto-Delete', last_run_at === null ? 'Not verified' : 'Enabled'],
    ['Last run', last_run_at === null ? 'Not run yet' : <Timestamp key="run" at={last_run_at} />],
    ...(last_deleted === null ? [] : [['Payloads deleted', last_deleted.toLocaleString('en')] as [string, string]]),
    ['Backup Policy', backups.isPending ? '–' : backupText(backups.data)],
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
        After this period, bodies, addresses and names are removed from the records. Who did what and when is kept by id, and the chain can
        still be verified.
      </p>
    </Card>
  );
}
