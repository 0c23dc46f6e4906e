import { type AttributeValue, bounds, type RawSpan, type Scalar } from '@paddock/otlp';
import type { Budget } from './budget.ts';
import type { Masker } from './masker.ts';

const mark = ' … [cut at 16 KiB]';
/** A truncated text may end within a value: this many characters before the cut are dropped. */
const besideCut = 128;

/** Masks prompts and completions; content beyond the time budget is dropped and counted. */
export function maskContent(span: RawSpan, masker: Masker, budget: Budget): void {
  for (const content of contentsOf(span))
    for (const [name, value] of content) {
      const isMasked = budget.spend(() => content.set(name, maskedValue(value, masker)));
      if (isMasked) continue;
      content.delete(name);
      span.content_dropped += 1;
    }
}

/** Adds content to the attributes, under its own names, within its bounds. */
export function mergeContent(
  span: RawSpan,
  { contentBytes, contentOfSpanBytes }: { contentBytes: number; contentOfSpanBytes: number },
): void {
  let left = contentOfSpanBytes;
  for (const holder of [span, ...span.events])
    for (const [name, value] of holder.content) {
      const fitting = Array.isArray(value) ? cutList(value, contentBytes) : cut(String(value), contentBytes);
      left -= Buffer.byteLength(JSON.stringify(fitting));
      if (left >= 0) holder.attributes.set(name, fitting);
      else span.content_dropped += 1;
    }
}

export const contentsOf = (span: RawSpan): Map<string, AttributeValue>[] => [span.content, ...span.events.map(({ content }) => content)];

function maskedValue(value: AttributeValue, masker: Masker): AttributeValue {
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === 'string' ? maskedText(entry, masker) : entry));
  return typeof value === 'string' ? maskedText(value, masker) : value;
}

function maskedText(text: string, masker: Masker): string {
  const masked = masker.maskText(text);
  return text.length > bounds.content ? masked.slice(0, -besideCut) + mark : masked;
}

/** The entries that fit. */
function cutList(list: Scalar[], most: number): Scalar[] {
  let left = most;
  return list.filter((entry) => (left -= Buffer.byteLength(String(entry))) >= 0);
}

/** Truncated to `most` bytes, with a mark. */
function cut(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  return (
    Buffer.from(text)
      .subarray(0, most - Buffer.byteLength(mark))
      .toString('utf8')
      .replace(/\ufffd$/, '') + mark
  );
}
