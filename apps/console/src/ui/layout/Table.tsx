/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- with display: block a table loses its own roles */
import type { ReactNode } from 'react';

export type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  /** The column that names the row: bold, and the row's header for screen readers. */
  lead?: boolean;
  /** Right-aligned, for numbers. */
  numeric?: boolean;
  /** The head is only for screen readers, for example above a row's actions. */
  quiet?: boolean;
  /**
   * The place on a phone, where a row otherwise lists all heads and values: in the line below the lead, in the upper right corner, or nowhere.
   * A table that uses it gives each column but the lead a place.
   */
  phone?: 'line' | 'corner' | 'hidden';
};

type Props<Row> = {
  /** Describes the table for screen readers; not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** 32 px rows instead of 40 px. */
  compact?: boolean;
  /** For more columns than fit into a window of 640 px: the table stays a list below 992 px of its own width, and nothing is cut off. */
  broad?: boolean;
};

/** Classes that turn the list of a narrow screen into a table. Complete class names, since Tailwind finds them by scanning the source. */
const looks = {
  plain: {
    table: 'sm:table',
    head: 'sm:not-sr-only sm:table-header-group',
    body: 'sm:table-row-group',
    row: 'sm:table-row sm:py-0',
    cell: 'sm:table-cell',
    lead: 'max-sm:-order-1',
    comfortable: 'sm:h-10',
    compact: 'sm:h-8',
    numeric: 'sm:text-right',
    label: 'sm:hidden',
    value: 'sm:contents',
  },
  broad: {
    table: '@min-[62rem]:table',
    head: '@min-[62rem]:not-sr-only @min-[62rem]:table-header-group',
    body: '@min-[62rem]:table-row-group',
    row: '@max-[62rem]:sm:grid @max-[62rem]:sm:grid-cols-2 @min-[62rem]:table-row @min-[62rem]:py-0',
    cell: '@min-[62rem]:table-cell',
    lead: '@max-[62rem]:-order-1 @max-[62rem]:sm:col-span-2',
    comfortable: '@min-[62rem]:h-10',
    compact: '@min-[62rem]:h-8',
    numeric: '@min-[62rem]:text-right',
    label: '@min-[62rem]:hidden',
    value: '@min-[62rem]:contents',
  },
} as const;
type Look = (typeof looks)[keyof typeof looks];

/** Classes of the places on a phone. */
const places = {
  line: 'max-sm:min-h-6 max-sm:px-0 max-sm:py-0 max-sm:text-sm',
  corner: 'max-sm:absolute max-sm:top-1 max-sm:right-1 max-sm:px-0',
  hidden: 'max-sm:hidden',
  lead: 'max-sm:min-h-6 max-sm:basis-full max-sm:py-0 max-sm:pr-12 max-sm:pl-0',
  row: 'max-sm:relative max-sm:min-h-14 max-sm:flex-row max-sm:flex-wrap max-sm:items-center max-sm:gap-x-2.5 max-sm:px-3',
} as const;

/** A plain table. On a narrow screen every row becomes a small list of head and value. The roles survive the change of display. */
export function Table<Row>({ caption, columns, rows, rowKey, compact = false, broad = false }: Props<Row>) {
  const look = looks[broad ? 'broad' : 'plain'];
  const isSlim = columns.some(({ phone }) => phone !== undefined);
  return (
    <div className={`border border-border bg-surface ${broad ? '@container' : 'sm:overflow-x-auto'}`}>
      <table role="table" className={`block w-full text-left text-base ${look.table}`}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className={`sr-only ${look.head}`}>
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
        <tbody role="rowgroup" className={`block ${look.body}`}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={`flex flex-col border-t border-border py-2 ${broad ? '@max-[62rem]:first:border-t-0' : 'max-sm:first:border-t-0'} hover:bg-canvas ${look.row} ${isSlim ? places.row : ''}`}
            >
              {columns.map((column) => (
                <Cell key={column.head} column={column} row={row} compact={compact} look={look} isSlim={isSlim} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  compact: boolean;
  look: Look;
  isSlim: boolean;
}

function Cell<Row>({ column, row, compact, look, isSlim }: CellProps<Row>) {
  const Tag = column.lead ? 'th' : 'td';
  const place = isSlim ? places[column.lead ? 'lead' : (column.phone ?? 'line')] : '';
  return (
    <Tag
      role={column.lead ? 'rowheader' : 'cell'}
      {...(column.lead ? { scope: 'row' } : {})}
      className={`flex min-h-8 items-center gap-3 px-3 py-0.5 ${look.cell} ${compact ? look.compact : look.comfortable} ${column.lead ? `font-semibold ${look.lead}` : 'font-normal'} ${column.numeric ? look.numeric : ''} ${place}`}
    >
      {column.lead || column.quiet ? null : (
        <span
          aria-hidden="true"
          className={`w-28 shrink-0 text-xs font-semibold text-muted ${look.label} ${isSlim ? 'max-sm:hidden' : ''}`}
        >
          {column.head}
        </span>
      )}
      <div className={`min-w-0 break-words ${look.value}`}>{column.cell(row)}</div>
    </Tag>
  );
}
