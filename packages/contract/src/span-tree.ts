import type { Span } from './traces.ts';

/** A span at its position in the tree. */
export interface TreeRow {
  span: Span;
  /** The id of the span, with a suffix that distinguishes spans with the same id. */
  key: string;
  /** Starts at 1. */
  level: number;
  /** The row of its parent; -1 at the root. */
  parent: number;
  /** The first row that is not inside this one. */
  end: number;
  /** Its number among its siblings, starting at 1. */
  position: number;
  siblings: number;
}

/**
 * All spans as rows, each after its parent, ordered by start time. An agent chooses the ids, so they may be inconsistent: a span with a
 * missing parent is placed at the root, as is one span of a cycle, and the second span with an id has no children.
 */
export function buildSpanTree(spans: readonly Span[]): TreeRow[] {
  const order = spans.map((_, index) => index).toSorted((a, b) => begin(spans, a) - begin(spans, b) || a - b);
  const parents = resolveParents(spans, order);
  const children: number[][] = spans.map(() => []);
  const roots: number[] = [];
  for (const index of order) (children[parents[index] ?? -1] ?? roots).push(index);
  return flattenRows(spans, roots, children);
}

const begin = (spans: readonly Span[], index: number) => spans[index]?.offset_ms ?? 0;

/** For each span the index of its parent; -1 at the root. Following the parents always ends. */
function resolveParents(spans: readonly Span[], order: readonly number[]): number[] {
  const byId = new Map<string, number>();
  for (const index of order) {
    const id = spans[index]?.span_id ?? '';
    if (!byId.has(id)) byId.set(id, index);
  }
  const parents = spans.map(({ parent_span_id }, index) => {
    const parent = parent_span_id === null ? -1 : (byId.get(parent_span_id) ?? -1);
    return parent === index ? -1 : parent;
  });
  // Each span is visited once: a path upwards ends at the root or at a span whose path is known, and a cycle is cut where it was entered.
  const seenFrom = spans.map(() => -1);
  for (const start of order)
    for (let at = start; at !== -1 && seenFrom[at] === -1; at = parents[at] ?? -1) {
      seenFrom[at] = start;
      const next = parents[at] ?? -1;
      if (next !== -1 && seenFrom[next] === start) parents[next] = -1;
    }
  return parents;
}

/** Iterative, because a chain of spans may be as long as the trace. */
function flattenRows(spans: readonly Span[], roots: readonly number[], children: readonly (readonly number[])[]): TreeRow[] {
  const rows: TreeRow[] = [];
  const keyOf = keys();
  const open: { of: readonly number[]; next: number; row: number }[] = [{ of: roots, next: 0, row: -1 }];
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const index = level.of[level.next];
    if (index === undefined) {
      open.pop();
      const row = rows[level.row];
      if (row) row.end = rows.length;
      continue;
    }
    level.next += 1;
    const span = spans[index] as Span;
    rows.push({
      span,
      key: keyOf(span.span_id),
      level: open.length,
      parent: level.row,
      end: 0,
      position: level.next,
      siblings: level.of.length,
    });
    open.push({ of: children[index] ?? [], next: 0, row: rows.length - 1 });
  }
  return rows;
}

/** Distinguishes the second span with an id from the first. */
function keys(): (id: string) => string {
  const seen = new Map<string, number>();
  return (id) => {
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    return times === 1 ? id : [id, times].join('~');
  };
}
