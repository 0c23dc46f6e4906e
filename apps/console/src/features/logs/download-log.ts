import { api } from '../../api/api.ts';
import { filterInput, type LogFilter, noFilter } from './session/log-filter.ts';

const downloadMs = 120_000;

export interface DownloadWish {
  format: 'text' | 'jsonl';
  /** All lines, and not only those that match the filter. */
  isWhole: boolean;
}

/** Saves the log as a file: the whole log, or the lines that match the filter. */
export async function downloadLog(id: string, { format, isWhole }: DownloadWish, filter: LogFilter) {
  const { search, levels } = isWhole ? noFilter : filter;
  const signal = AbortSignal.timeout(downloadMs);
  const text = await api.logs.download({ id, format, ...filterInput({ search, levels }) }, { signal });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: format === 'text' ? 'text/plain' : 'application/jsonl' }));
  const parts = [id, ...levels, ...(search ? ['found'] : [])];
  link.download = `${parts.join('-')}.${format === 'text' ? 'log' : 'jsonl'}`;
  link.click();
  // The click has used the URL by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
