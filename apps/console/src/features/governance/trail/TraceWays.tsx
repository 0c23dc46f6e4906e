import type { AuditLog } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { lineageQuery } from '../queries.ts';
import type { Go } from '../view.ts';
import { findDeploymentId } from './record-data.ts';

interface Props {
  log: AuditLog;
  traceId: string;
  go: Go;
}

/**
 * Links from a record to its request's trace, lineage and other records. The trace needs its deployment, which the record or else the
 * lineage names.
 */
export function TraceWays({ log, traceId, go }: Props) {
  const named = findDeploymentId(log);
  const lineage = useQuery({ ...lineageQuery(traceId), enabled: named === undefined });
  const deployment = named ?? lineage.data?.deployment_id;
  return (
    <div className="flex flex-wrap gap-2.5">
      {deployment ? (
        <ButtonLink to="/deployments/$id" params={{ id: deployment }} search={{ tab: 'traces', trace: traceId }}>
          Open the trace
        </ButtonLink>
      ) : null}
      <Button onClick={() => go({ lineage: traceId }, { replace: false })}>Data lineage</Button>
      <Button onClick={() => go({ log: undefined, trace: traceId }, { replace: false })}>All records of the trace</Button>
    </div>
  );
}
