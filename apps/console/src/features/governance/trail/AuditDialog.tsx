import type { AuditLog } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Loaded } from '../../../api/Loaded.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { saveFile } from '../../../ui/controls/save-file.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { JsonBlock } from '../JsonBlock.tsx';
import { auditLogQuery } from '../queries.ts';
import { type Go, isTraceId } from '../view.ts';
import { messages } from '../words.ts';
import { AuditFacts } from './AuditFacts.tsx';
import { PiiFound } from './PiiFound.tsx';
import { bodyNotes } from './record-data.ts';
import { TraceWays } from './TraceWays.tsx';

interface Props {
  id: string;
  go: Go;
}

/** The details of a record. */
export function AuditDialog({ id, go }: Props) {
  const query = useQuery(auditLogQuery(id));
  const { data: log, error } = query;
  const isUnknown = error instanceof ApiError && error.code === 'audit_log_not_found';
  const close = () => go({ log: undefined });
  return (
    <Dialog
      open
      size="large"
      onClose={close}
      title="Audit Log Details"
      footer={
        <>
          {log ? (
            <Button icon={<Icon of={Download} />} onClick={() => exportOne(log)}>
              Export This Log
            </Button>
          ) : null}
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      {isUnknown ? (
        <EmptyState>{error.message}</EmptyState>
      ) : (
        <Loaded query={query} failed={messages.log} skeleton={<Skeleton rows={8} />} />
      )}
      {log ? <Opened log={log} go={go} /> : null}
    </Dialog>
  );
}

function Opened({ log, go }: { log: AuditLog; go: Go }) {
  const { input_data, output_data, metadata, is_erased, pii, targets } = log;
  const trace = log.trace_id ?? undefined;
  const isBare = input_data === null && output_data === null;
  return (
    <div className="flex flex-col gap-4">
      <AuditFacts log={log} />
      {isTraceId(trace) ? <TraceWays log={log} traceId={trace} go={go} /> : null}
      {pii ? <PiiFound of={pii} /> : null}
      {is_erased ? (
        <p className="border border-border bg-sunken px-3 py-2">
          The payload of this record was erased, by retention or on request. What remains still proves that the record was written, and the
          chain can still be verified.
        </p>
      ) : null}
      {input_data === null ? null : <JsonBlock title="Input Data" value={input_data} notes={bodyNotes(input_data)} />}
      {output_data === null ? null : <JsonBlock title="Output Data" value={output_data} notes={bodyNotes(output_data)} />}
      {isBare && !is_erased ? <p className="text-muted">No input or output data was recorded.</p> : null}
      <JsonBlock title="Metadata" value={metadata} />
      {targets.length > 0 ? <JsonBlock title="Targets" value={targets} /> : null}
    </div>
  );
}

const exportOne = (log: AuditLog) =>
  saveFile(`${JSON.stringify(log, null, 2)}\n`, { name: `audit-log-${log.id}.json`, type: 'application/json' });
