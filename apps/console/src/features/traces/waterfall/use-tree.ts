import type { Span } from '@paddock/contract';
import { buildSpanTree } from '@paddock/contract/span-tree';
import { useMemo, useState } from 'react';
import { findAncestors, hasInner, shownRows } from './tree.ts';

/** Number of rows that Page Up and Page Down move. */
const leap = 10;

/** The tree of a trace: the expanded rows, and the row that the keys act on. Spans may arrive while it is open. */
export function useTree(spans: readonly Span[], opened: string | undefined) {
  const rows = useMemo(() => buildSpanTree(spans), [spans]);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState(opened);
  const shown = useMemo(() => shownRows(rows, collapsed), [rows, collapsed]);
  const active = useMemo(() => {
    const row = rows.findIndex(({ key }) => key === chosen);
    // The chosen row may be within a collapsed one.
    return shown.findLast((each) => each <= row) ?? 0;
  }, [rows, shown, chosen]);
  const isOpen = (row: number) => !collapsed.has(rows[row]?.key ?? '');

  const choose = (row: number) => setChosen(rows[row]?.key);
  const fold = (row: number, isFolded: boolean) => {
    const next = new Set(collapsed);
    const key = rows[row]?.key ?? '';
    if (isFolded) next.add(key);
    else next.delete(key);
    setCollapsed(next);
  };
  /** Expands the ancestors of a row, so that it is visible. */
  const reveal = (row: number) => {
    const next = new Set(collapsed);
    for (const each of findAncestors(rows, row)) next.delete(rows[each]?.key ?? '');
    if (next.size < collapsed.size) setCollapsed(next);
    choose(row);
  };
  const step = (by: number) => choose(shown[Math.min(Math.max(0, shown.indexOf(active) + by), shown.length - 1)] ?? 0);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    PageDown: () => step(leap),
    PageUp: () => step(-leap),
    Home: () => step(-rows.length),
    End: () => step(rows.length),
    ArrowRight() {
      if (!isOpen(active)) fold(active, false);
      else if (hasInner(rows, active)) step(1);
    },
    ArrowLeft() {
      const parent = rows[active]?.parent ?? -1;
      if (hasInner(rows, active) && isOpen(active)) fold(active, true);
      else if (parent !== -1) choose(parent);
    },
  };
  return {
    rows,
    shown,
    active,
    isOpen,
    isAnyFolded: collapsed.size > 0,
    choose,
    fold,
    keys,
    foldAll: () => setCollapsed(new Set(rows.filter((_, row) => hasInner(rows, row)).map(({ key }) => key))),
    unfoldAll: () => setCollapsed(new Set()),
    /** Moves to the next failed span, wrapping around at the end. */
    toNextError() {
      const failed = rows.flatMap(({ span }, row) => (span.status === 'error' ? [row] : []));
      const next = failed.find((row) => row > active) ?? failed[0];
      if (next !== undefined) reveal(next);
    },
  };
}
export type Tree = ReturnType<typeof useTree>;
