import type { Span } from '@paddock/contract';
import { expect, test } from 'vitest';
import { barOf, frameOf } from './bars.ts';
import { ancestorsOf, hasInner, shownRows, treeOf } from './tree.ts';

const span = (span_id: string, parent_span_id: string | null = null, offset_ms = 0, change: Partial<Span> = {}): Span => ({
  span_id,
  parent_span_id,
  name: span_id,
  kind: 'internal',
  type: 'other',
  origin: 'agent',
  started_at: '2026-11-23T06:00:00.000Z',
  offset_ms,
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

const drawn = (spans: readonly Span[]) => treeOf(spans).map(({ span: { span_id }, level }) => `${'·'.repeat(level - 1)}${span_id}`);

test('spans stand below their parents, in the order of their beginnings, whatever order they came in', () => {
  const spans = [span('late', 'root', 50), span('leaf', 'early', 20), span('early', 'root', 10), span('root'), span('other', null, 5)];
  expect(drawn(spans)).toEqual(['root', '·early', '··leaf', '·late', 'other']);
  const rows = treeOf(spans);
  expect(rows.map(({ position, siblings }) => `${position} of ${siblings}`)).toEqual(['1 of 2', '1 of 2', '1 of 1', '2 of 2', '2 of 2']);
  expect(rows.map((_, row) => hasInner(rows, row))).toEqual([true, true, false, false, false]);
  expect(ancestorsOf(rows, 2)).toEqual([1, 0]);
});

test('a span whose parent never came stands at the root', () => {
  expect(drawn([span('root'), span('orphan', 'gone', 3), span('child', 'orphan', 4)])).toEqual(['root', 'orphan', '·child']);
});

test('circles are cut, and every span of them is shown', () => {
  expect(drawn([span('self', 'self')])).toEqual(['self']);
  for (const spans of [
    [span('a', 'c', 0), span('b', 'a', 1), span('c', 'b', 2)],
    [span('into', 'b', 0), span('a', 'c', 1), span('b', 'a', 2), span('c', 'b', 3)],
    [span('a', 'b'), span('b', 'a'), span('c', 'd'), span('d', 'c')],
  ]) {
    expect(
      drawn(spans)
        .map((each) => each.replaceAll('·', ''))
        .toSorted(),
    ).toEqual(spans.map(({ span_id }) => span_id).toSorted());
  }
});

test('spans with the same id are all shown, with keys of their own, and the children once', () => {
  const rows = treeOf([span('twin'), span('twin', null, 1), span('twin', 'twin', 2), span('child', 'twin', 3)]);
  expect(rows.map(({ key, level }) => `${level} ${key}`)).toEqual(['1 twin', '2 twin~2', '2 child', '1 twin~3']);
});

test('a chain and a fan of as many spans as a trace may have are rows at once', () => {
  const count = 2000;
  const chain = Array.from({ length: count }, (_, n) => span(`s${n}`, n === 0 ? null : `s${n - 1}`, n));
  expect(treeOf(chain).at(-1)?.level).toBe(count);
  const circle = chain.map((each, n) => (n === 0 ? { ...each, parent_span_id: `s${count - 1}` } : each));
  expect(treeOf(circle)).toHaveLength(count);
  expect(treeOf(chain.map((each) => ({ ...each, parent_span_id: 's0' }))).filter(({ level }) => level === 2)).toHaveLength(count - 1);
});

test('what is within a collapsed row is not shown, and the rest is', () => {
  const rows = treeOf([span('root'), span('a', 'root', 1), span('leaf', 'a', 2), span('b', 'root', 3), span('next', null, 4)]);
  const names = (...collapsed: string[]) => shownRows(rows, new Set(collapsed)).map((row) => rows[row]?.span.span_id);
  expect(names()).toEqual(['root', 'a', 'leaf', 'b', 'next']);
  expect(names('a')).toEqual(['root', 'a', 'b', 'next']);
  expect(names('root', 'a')).toEqual(['root', 'next']);
  expect(names('leaf', 'next', 'unknown')).toEqual(['root', 'a', 'leaf', 'b', 'next']);
});

test('bars stay within the picture, whatever the clock of an agent says', () => {
  const wild = [
    span('early', null, -1e9, { duration_ms: 1 }),
    span('long', null, 5, { duration_ms: 1e12 }),
    span('nothing', null, 0, { duration_ms: 0, first_chunk_ms: 5 }),
    span('after', null, 10, { first_chunk_ms: 99 }),
  ];
  for (const spans of [wild, wild.slice(2), wild.slice(2, 3)]) {
    const frame = frameOf(spans, 0);
    for (const each of spans) {
      const { left, width, waited } = barOf(each, frame);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(100);
      expect(waited).toBeNull();
    }
  }
  const half = span('half', null, 50, { duration_ms: 50, first_chunk_ms: 10 });
  expect(barOf(half, frameOf([half], 200))).toEqual({ left: 25, width: 25, waited: 20 });
});
