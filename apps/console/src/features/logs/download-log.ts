import { api } from '../../api.ts';
import type { Level } from './log-search.ts';

const downloadMs = 120_000;

/** Saves the log as a file: all of it, or one level. */
export async function downloadLog(id: string, format: 'text' | 'jsonl', level: Level | undefined) {
  const signal = AbortSignal.timeout(downloadMs);
  const text = await api.logs.download({ id, format, ...(level ? { level } : {}) }, { signal });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: format === 'text' ? 'text/plain' : 'application/jsonl' }));
  link.download = `${id}${level ? `-${level}` : ''}.${format === 'text' ? 'log' : 'jsonl'}`;
  link.click();
  // The click has taken the address over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
