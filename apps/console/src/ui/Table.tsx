/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- with display: block a table loses its own roles */
import type { ReactNode } from 'react';

export type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  /** The column that names the row: bold, and the row's header for screen readers. */
  lead?: boolean;
  /** Numbers stand on the right. */
  numeric?: boolean;
  /** The head is read out but not shown, as over a row's actions. */
  quiet?: boolean;
};

type Props<Row> = {
  /** What the table lists; read out, not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** 32 px rows instead of 40 px. */
  compact?: boolean;
};

/** A plain table. Below 640 px every row becomes a small list of head and value. The roles survive the change of display. */
export function Table<Row>({ caption, columns, rows, rowKey, compact = false }: Props<Row>) {
  return (
    <div className="border border-border bg-surface sm:overflow-x-auto">
      <table role="table" className="block w-full text-left text-base sm:table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="sr-only sm:not-sr-only sm:table-header-group">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.head}
                role="columnheader"
                scope="col"
                className={`h-9 px-3 text-xs font-semibold whitespace-nowrap text-muted ${column.numeric ? 'text-right' : ''}`}
              >
                {column.quiet ? <span className="sr-only">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block sm:table-row-group">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className="flex flex-col border-t border-border py-2 max-sm:first:border-t-0 hover:bg-canvas sm:table-row sm:py-0"
            >
              {columns.map((column) => (
                <Cell key={column.head} column={column} row={row} compact={compact} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row, compact }: { column: Column<Row>; row: Row; compact: boolean }) {
  const Tag = column.lead ? 'th' : 'td';
  return (
    <Tag
      role={column.lead ? 'rowheader' : 'cell'}
      {...(column.lead ? { scope: 'row' } : {})}
      className={`flex min-h-8 items-center gap-3 px-3 py-0.5 sm:table-cell ${compact ? 'sm:h-8' : 'sm:h-10'} ${column.lead ? 'font-semibold max-sm:-order-1' : 'font-normal'} ${column.numeric ? 'sm:text-right' : ''}`}
    >
      {column.lead || column.quiet ? null : (
        <span aria-hidden="true" className="w-28 shrink-0 text-xs font-semibold text-muted sm:hidden">
          {column.head}
        </span>
      )}
      <div className="min-w-0 break-words sm:contents">{column.cell(row)}</div>
    </Tag>
  );
}
