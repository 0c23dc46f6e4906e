import type { Span } from '@paddock/contract';
import { buildSpanTree } from '@paddock/contract/span-tree';
import { expect, test } from 'vitest';
import { computeBar, computeFrame } from './bars.ts';
import { findAncestors, hasInner, shownRows } from './tree.ts';

const span = (span_id: string, parent_span_id: string | null = null, change: Partial<Span> = {}): Span => ({
  span_id,
  parent_span_id,
  name: span_id,
  kind: 'internal',
  type: 'other',
  origin: 'agent',
  started_at: '2026-11-23T06:00:00.000Z',
  offset_ms: 0,
  duration_ms: 10,
  status: 'unset',
  status_message: null,
  provider: null,
  model: null,
  input_tokens: null,
  cached_tokens: null,
  cache_write_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
  first_chunk_ms: null,
  cost_usd: null,
  is_counted: true,
  attributes: {},
  events: [],
  dropped: 0,
  content_dropped: 0,
  ...change,
});

test('a row knows whether anything is within it, and what is around it', () => {
  const rows = buildSpanTree([
    span('root'),
    span('early', 'root', { offset_ms: 10 }),
    span('leaf', 'early', { offset_ms: 20 }),
    span('late', 'root', { offset_ms: 50 }),
  ]);
  expect(rows.map((_, row) => hasInner(rows, row))).toEqual([true, true, false, false]);
  expect(findAncestors(rows, 2)).toEqual([1, 0]);
});

test('what is within a collapsed row is not shown, and the rest is', () => {
  const rows = buildSpanTree([
    span('root'),
    span('a', 'root', { offset_ms: 1 }),
    span('leaf', 'a', { offset_ms: 2 }),
    span('b', 'root', { offset_ms: 3 }),
    span('next', null, { offset_ms: 4 }),
  ]);
  const names = (...collapsed: string[]) => shownRows(rows, new Set(collapsed)).map((row) => rows[row]?.span.span_id);
  expect(names()).toEqual(['root', 'a', 'leaf', 'b', 'next']);
  expect(names('a')).toEqual(['root', 'a', 'b', 'next']);
  expect(names('root', 'a')).toEqual(['root', 'next']);
  expect(names('leaf', 'next', 'unknown')).toEqual(['root', 'a', 'leaf', 'b', 'next']);
});

test('bars stay within the picture, whatever the clock of an agent says', () => {
  const wild = [
    span('early', null, { offset_ms: -1e9, duration_ms: 1 }),
    span('long', null, { offset_ms: 5, duration_ms: 1e12 }),
    span('nothing', null, { offset_ms: 0, duration_ms: 0, first_chunk_ms: 5 }),
    span('after', null, { offset_ms: 10, first_chunk_ms: 99 }),
  ];
  for (const spans of [wild, wild.slice(2), wild.slice(2, 3)]) {
    const frame = computeFrame(spans, 0);
    for (const each of spans) {
      const { left, width, waited } = computeBar(each, frame);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(100);
      expect(waited).toBeNull();
    }
  }
  const half = span('half', null, { offset_ms: 50, duration_ms: 50, first_chunk_ms: 10 });
  expect(computeBar(half, computeFrame([half], 200))).toEqual({ left: 25, width: 25, waited: 20 });
});
