import type { AuditFilter } from '@paddock/contract';
import { useEffect, useRef } from 'react';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { saveFile } from '../../../ui/controls/save-file.ts';
import { type ExportFormat, exportFormats, fileTime } from './export-formats.ts';

/** Timeout, long enough for a large trail. */
const exportMs = 30 * 60_000;

/** Saves the matching records as a file; unmounting aborts the export. */
export function useExport(filter: AuditFilter, onSaved: () => void) {
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  return useAction({
    mutationFn: async (format: ExportFormat, { idempotency_key }) => {
      const controller = new AbortController();
      leaving.current = controller;
      const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(exportMs)]);
      const text = await api.governance.exportAuditLogs({ ...filter, format }, { signal, idempotency_key });
      const { ending, type } = exportFormats[format];
      saveFile(text, { name: `audit-logs-${fileTime(new Date())}.${ending}`, type });
    },
    onSuccess: onSaved,
  });
}
