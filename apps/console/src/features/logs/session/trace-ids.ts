/** Maximum number of linked traces per line: a line with more is not about one trace. */
const maxLinks = 20;

/** `trace_id=…`, `"traceId": "…"`, `x-trace-id: …` and a `traceparent`, as loggers write them; quotes may be escaped. */
const named = /trace(?:[-_. ]?id|parent)[\s"'\\:=>]{1,8}(?:00-)?([0-9a-f]{32})(?![0-9a-f])/gi;

export interface TraceRange {
  start: number;
  end: number;
  traceId: string;
}

/** The ranges of trace ids in a line, ascending and not overlapping. */
export function findTraceIds(text: string): TraceRange[] {
  // Most lines name no trace, and the pattern would scan every character.
  if (!/trace/i.test(text)) return [];
  const found: TraceRange[] = [];
  for (const match of text.matchAll(named)) {
    const traceId = (match[1] ?? '').toLowerCase();
    const end = match.index + match[0].length;
    // The standard uses all zeros for 'none'.
    if (!/^0+$/.test(traceId)) found.push({ start: end - traceId.length, end, traceId });
    if (found.length === maxLinks) break;
  }
  return found;
}
