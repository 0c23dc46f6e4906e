import { type MaskOptions, mask } from '@paddock/pii';
import { added, type Counts, countsOf } from './redactor.ts';

/** A longer line is looked through in parts. */
const maxLine = 64 * 1024;

/** Masks lines of JSON while they pass, whole lines at a time. */
export function lineStream(options: Omit<MaskOptions, 'format'>) {
  let pending = '';
  let found: Counts | undefined;
  return { push, end: () => masked(take(pending.length)), findings: () => found };

  function push(text: string): string {
    pending += text;
    const end = pending.lastIndexOf('\n') + 1;
    return masked(take(end === 0 && pending.length > maxLine ? pending.length : end));
  }

  function take(length: number): string {
    const taken = pending.slice(0, length);
    pending = pending.slice(length);
    return taken;
  }

  function masked(lines: string): string {
    if (lines === '') return '';
    const { text, findings } = mask(lines, { ...options, format: 'json' });
    if (findings.length > 0) found = added(found, countsOf(findings));
    return text;
  }
}
