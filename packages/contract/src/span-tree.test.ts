import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSpanTree } from './span-tree.ts';
import type { Span } from './traces.ts';

/** The tree only reads these fields of a span. */
const span = (span_id: string, parent_span_id: string | null = null, offset_ms = 0) => ({ span_id, parent_span_id, offset_ms }) as Span;
const drawn = (spans: readonly Span[]) => buildSpanTree(spans).map(({ span: { span_id }, level }) => `${'·'.repeat(level - 1)}${span_id}`);

test('spans stand below their parents, in the order of their beginnings, whatever order they came in', () => {
  const spans = [span('late', 'root', 50), span('leaf', 'early', 20), span('early', 'root', 10), span('root'), span('other', null, 5)];
  assert.deepEqual(drawn(spans), ['root', '·early', '··leaf', '·late', 'other']);
  const rows = buildSpanTree(spans);
  assert.deepEqual(
    rows.map(({ position, siblings }) => `${position} of ${siblings}`),
    ['1 of 2', '1 of 2', '1 of 1', '2 of 2', '2 of 2'],
  );
  assert.deepEqual(
    rows.map(({ parent, end }) => [parent, end]),
    [
      [-1, 4],
      [0, 3],
      [1, 3],
      [0, 4],
      [-1, 5],
    ],
  );
});

test('a span whose parent never came stands at the root', () => {
  assert.deepEqual(drawn([span('root'), span('orphan', 'gone', 3), span('child', 'orphan', 4)]), ['root', 'orphan', '·child']);
});

test('circles are cut, and every span of them is there', () => {
  assert.deepEqual(drawn([span('self', 'self')]), ['self']);
  for (const spans of [
    [span('a', 'c', 0), span('b', 'a', 1), span('c', 'b', 2)],
    [span('into', 'b', 0), span('a', 'c', 1), span('b', 'a', 2), span('c', 'b', 3)],
    [span('a', 'b'), span('b', 'a'), span('c', 'd'), span('d', 'c')],
  ])
    assert.deepEqual(
      drawn(spans)
        .map((each) => each.replaceAll('·', ''))
        .toSorted(),
      spans.map(({ span_id }) => span_id).toSorted(),
    );
});

test('spans with the same id are all there, with keys of their own, and the children once', () => {
  const rows = buildSpanTree([span('twin'), span('twin', null, 1), span('twin', 'twin', 2), span('child', 'twin', 3)]);
  assert.deepEqual(
    rows.map(({ key, level }) => `${level} ${key}`),
    ['1 twin', '2 twin~2', '2 child', '1 twin~3'],
  );
});

test('a chain, a circle and a fan of as many spans as a trace may have are rows', () => {
  const count = 2000;
  const chain = Array.from({ length: count }, (_, n) => span(`s${n}`, n === 0 ? null : `s${n - 1}`, n));
  assert.equal(buildSpanTree(chain).at(-1)?.level, count);
  assert.equal(buildSpanTree(chain.map((each, n) => (n === 0 ? { ...each, parent_span_id: `s${count - 1}` } : each))).length, count);
  assert.equal(
    buildSpanTree(chain.map((each) => ({ ...each, parent_span_id: 's0' }))).filter(({ level }) => level === 2).length,
    count - 1,
  );
});
