import { type SubmitEvent, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { type Go, type GovernanceView, isFiltered, toAuditFilter } from '../view.ts';
import { messages } from '../words.ts';
import { type ExportFormat, exportFormats } from './export-formats.ts';
import { useExport } from './use-export.ts';

/** Exports the filtered records in a chosen format. */
export function ExportDialog({ view, go }: { view: GovernanceView; go: Go }) {
  const [format, setFormat] = useState<ExportFormat>('json');
  const close = () => go({ open: undefined });
  const run = useExport(toAuditFilter(view), () => {
    toast.success(messages.exported);
    close();
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    run.mutate(format);
  };
  const reason = failureText(run.error, 'Check the connection to the server.');
  return (
    <Dialog
      open
      onClose={close}
      title="Export Logs"
      description={
        isFiltered(view)
          ? 'Exports the records that match the active filters. The export itself is recorded.'
          : 'Exports the whole trail. The export itself is recorded.'
      }
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" busy={run.isPending}>
            Export
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{reason ? `${messages.exportFailed}. ${reason}` : undefined}</FormError>
        <RadioGroup
          label="Format"
          options={(Object.keys(exportFormats) as ExportFormat[]).map((id) => ({ id, ...exportFormats[id] }))}
          value={format}
          onChange={setFormat}
        />
        <p className="text-sm text-muted">
          The browser loads the whole file before saving it. For a trail of many millions of records, run{' '}
          <code className="font-mono text-mono">paddock audit export</code>.
        </p>
      </div>
    </Dialog>
  );
}
