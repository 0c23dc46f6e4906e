import { PiiDialog } from './data/PiiDialog.tsx';
import { LineageDialog } from './lineage/LineageDialog.tsx';
import { AuditDialog } from './trail/AuditDialog.tsx';
import { ExportDialog } from './trail/ExportDialog.tsx';
import { type Go, type GovernanceView, isTraceId } from './view.ts';

/** The dialog that is open according to the address. A lineage takes precedence over the record from which it was opened. */
export function GovernanceDialogs({ view, go }: { view: GovernanceView; go: Go }) {
  const { lineage, log, open } = view;
  if (isTraceId(lineage)) return <LineageDialog key={lineage} traceId={lineage} go={go} />;
  if (log) return <AuditDialog key={log} id={log} go={go} />;
  if (open === 'export') return <ExportDialog view={view} go={go} />;
  return open === 'pii' ? <PiiDialog view={view} go={go} /> : null;
}
