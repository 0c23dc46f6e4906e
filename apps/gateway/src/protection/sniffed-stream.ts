import { beginsLines, formLength, type MaskStream, maskStream, type StreamOptions } from '@paddock/pii';
import type { Counts } from './redactor.ts';

/** Masks a stream as lines if it begins like lines, because many event streams are sent as plain text; else as text. */
export function sniffedStream({ isLines, ...options }: Omit<StreamOptions, 'format'> & { isLines: boolean }) {
  let beginning = '';
  let stream: MaskStream | undefined = isLines ? maskStream({ ...options, format: 'events' }) : undefined;
  return { push, end, findings };

  function push(text: string): string {
    if (stream !== undefined) return stream.push(text);
    beginning += text;
    return beginning.length < formLength ? '' : begin();
  }

  function end(): string {
    const first = stream === undefined ? begin() : '';
    return first + stream!.end();
  }

  function begin(): string {
    stream = maskStream({ ...options, format: beginsLines(beginning.slice(0, formLength)) ? 'events' : 'text' });
    return stream.push(beginning);
  }

  function findings(): Counts | undefined {
    return stream === undefined || Object.keys(stream.findings).length === 0 ? undefined : stream.findings;
  }
}
