import type { PiiStats } from '@paddock/contract';
import { piiTypes } from '@paddock/contract/data-protection';
import { shownText } from '@paddock/contract/terminal-text';
import { useQuery } from '@tanstack/react-query';
import { filled } from '../../../api/filled.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Meter } from '../../../ui/feedback/Meter.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { MomentFields } from '../MomentFields.tsx';
import { piiQuery } from '../queries.ts';
import { type Go, type GovernanceView, toAuditFilter } from '../view.ts';
import { messages, shareOf } from '../words.ts';
import { sortCounts } from './pii-counts.ts';

/** PII found and redacted within the time range, by type. */
export function PiiDialog({ view, go }: { view: GovernanceView; go: Go }) {
  const { date_from, date_to } = toAuditFilter(view);
  const query = useQuery({ ...piiQuery(filled({ date_from, date_to })), placeholderData: (before) => before });
  const close = () => go({ open: undefined });
  return (
    <Dialog
      open
      onClose={close}
      title="PII Detection Details"
      footer={
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-x-2.5 gap-y-2 sm:grid-cols-2">
          <MomentFields view={view} go={go} />
        </div>
        <Loaded query={query} failed={messages.pii} skeleton={<Skeleton rows={4} />}>
          {(data) => (
            <div className={query.isPlaceholderData ? 'opacity-55' : ''} aria-busy={query.isPlaceholderData}>
              <Breakdown stats={data} />
            </div>
          )}
        </Loaded>
        <section aria-label="Supported Types">
          <h3 className="mb-1 text-sm font-semibold">Supported Types</h3>
          <p className="text-muted">{piiTypes.join(', ')}</p>
        </section>
      </div>
    </Dialog>
  );
}

function Breakdown({ stats }: { stats: PiiStats }) {
  const { total_scans, pii_detected, auto_redacted } = stats;
  const counts: [term: string, count: number][] = [
    ['Total Scans', total_scans],
    ['PII Detected', pii_detected],
    ['Auto-Redacted', auto_redacted],
  ];
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-3 gap-2.5">
        {counts.map(([term, count]) => (
          <div key={term} className="min-w-0 border border-border px-3 py-2">
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="text-lg font-bold wrap-anywhere">{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      <section aria-label="By type" className="flex flex-col gap-2.5">
        <h3 className="text-sm font-semibold">By type</h3>
        {sortCounts(stats).map(([type, count]) => (
          <Meter
            key={type}
            label={shownText(type, 40)}
            value={count}
            max={pii_detected}
            text={`${count.toLocaleString('en')}, ${shareOf(count, pii_detected)}`}
          />
        ))}
        {pii_detected === 0 ? <p className="text-muted">Nothing detected in this period.</p> : null}
      </section>
      {auto_redacted > 0 ? (
        <Banner tone="success">
          <b className="font-bold">Auto-Redaction Active</b>: {auto_redacted.toLocaleString('en')} of {pii_detected.toLocaleString('en')}{' '}
          values were redacted before anything was stored.
        </Banner>
      ) : null}
    </div>
  );
}
