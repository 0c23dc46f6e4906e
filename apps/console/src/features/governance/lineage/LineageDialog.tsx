import type { Lineage } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../api/Loaded.tsx';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { IdText } from '../../../ui/text/IdText.tsx';
import { lineageQuery } from '../queries.ts';
import type { Go } from '../view.ts';
import { messages } from '../words.ts';
import { LineageTimeline } from './LineageTimeline.tsx';

/** The data lineage of a request. */
export function LineageDialog({ traceId, go }: { traceId: string; go: Go }) {
  const query = useQuery(lineageQuery(traceId));
  const { data, error } = query;
  const isUnknown = error instanceof ApiError && error.code === 'trace_not_found';
  const close = () => go({ lineage: undefined });
  return (
    <Dialog
      open
      size="large"
      onClose={close}
      title="Data lineage"
      footer={
        <Button variant="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <p className="mb-3 flex flex-wrap items-center gap-x-2 text-muted">
        Trace <IdText id={traceId} />
        <CopyButton text={traceId} label="Copy trace id" />
        {data?.deployment_id ? <TraceLink lineage={data} deploymentId={data.deployment_id} /> : null}
      </p>
      {isUnknown ? (
        <EmptyState>Trace not found. It may be older than the stored data.</EmptyState>
      ) : (
        <Loaded query={query} failed={messages.lineage} skeleton={<Skeleton rows={6} />} />
      )}
      {data ? <LineageTimeline stages={data.stages} onRecord={(log) => go({ log, lineage: undefined }, { replace: false })} /> : null}
    </Dialog>
  );
}

const TraceLink = ({ lineage, deploymentId }: { lineage: Lineage; deploymentId: string }) => (
  <PageLink to="/deployments/$id" params={{ id: deploymentId }} search={{ tab: 'traces', trace: lineage.trace_id }}>
    Open the trace
  </PageLink>
);
