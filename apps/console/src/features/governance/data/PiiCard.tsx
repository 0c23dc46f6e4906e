import type { PiiStats } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { Button } from '../../../ui/controls/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { sortCounts } from './pii-counts.ts';

const maxTypes = 3;

export function PiiCard({ stats, onDetails }: { stats: PiiStats; onDetails: () => void }) {
  const { total_scans, pii_detected, auto_redacted } = stats;
  return (
    <Card title="PII Detection" actions={pii_detected > 0 ? <Button onClick={onDetails}>View Details</Button> : undefined}>
      <dl className="flex flex-col gap-1">
        <Row term="Total Scans" count={total_scans} />
        <Row term="PII Detected" count={pii_detected} />
        <Row term="Auto-Redacted" count={auto_redacted} />
      </dl>
      {pii_detected > 0 ? (
        <>
          <h3 className="mt-3 mb-1 text-sm font-semibold">Detected Types</h3>
          <dl className="flex flex-col gap-1">
            {sortCounts(stats)
              .slice(0, maxTypes)
              .map(([type, count]) => (
                <Row key={type} term={shownText(type, 40)} count={count} />
              ))}
          </dl>
        </>
      ) : (
        <p className="mt-2 text-sm text-muted">
          {total_scans > 0 ? 'Nothing detected yet.' : 'Nothing scanned yet. Scanning begins with the first request to an agent.'}
        </p>
      )}
    </Card>
  );
}

const Row = ({ term, count }: { term: string; count: number }) => (
  <div className="flex justify-between gap-4">
    <dt className="text-muted">{term}</dt>
    <dd className="font-semibold">{count.toLocaleString('en')}</dd>
  </div>
);
