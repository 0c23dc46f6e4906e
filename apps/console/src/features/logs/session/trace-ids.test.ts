import { expect, test } from 'vitest';
import { linkSpans, markSpans, parseAnsiSpans } from './ansi.ts';
import { findTraceIds } from './trace-ids.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';

test('a line names its trace in all the ways that loggers have', () => {
  for (const line of [
    `served trace_id=${id}`,
    `{"level":"info","traceId":"${id}","span_id":"00f067aa0ba902b7"}`,
    `x-trace-id: ${id}`,
    `trace-id ${id.toUpperCase()} done`,
    `"otelTraceID": "${id}"`,
    `{"msg":"{\\"trace.id\\":\\"${id}\\"}"}`,
    `{ traceId: '${id}' }`,
    `traceparent: 00-${id}-00f067aa0ba902b7-01`,
  ]) {
    const [found] = findTraceIds(line);
    expect([line, found?.traceId]).toEqual([line, id]);
    expect(line.slice(found?.start, found?.end).toLowerCase()).toBe(id);
  }
});

test('other numbers, longer ones and the empty trace are no traces', () => {
  for (const line of [
    id,
    `md5=${id}`,
    `trace_id=${id}0`,
    `trace_id=${id.slice(1)}`,
    `trace_id=${'0'.repeat(32)}`,
    `span_id=${id}`,
    'trace_id=',
  ])
    expect([line, findTraceIds(line)]).toEqual([line, []]);
  expect(findTraceIds(`trace_id=${id} `.repeat(500))).toHaveLength(20);
});

test('a trace stays one link when it is coloured or found in part, and the text stays what it was', () => {
  const message = `ok \x1b[32mtrace_id\x1b[0m=\x1b[1m${id}\x1b[0m end`;
  const text = `ok trace_id=${id} end`;
  const pieces = markSpans(linkSpans(parseAnsiSpans(message), findTraceIds(text)), [[8, 20]]);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  const linked = pieces.filter((piece) => piece.traceId === id);
  expect(linked.map((piece) => [piece.text, piece.isMatch, piece.bold])).toEqual([
    [id.slice(0, 8), true, true],
    [id.slice(8), undefined, true],
  ]);
});
