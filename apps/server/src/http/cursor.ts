import { ApiError } from '@paddock/contract';

/** End of a page: the sort key of its last row. Opaque to callers; rows are scoped by team in the query itself. */
export interface Position {
  created_at: string;
  id: string;
}

const writeCursor = (row: Position) => Buffer.from(`${row.created_at} ${row.id}`).toString('base64url');

export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const [, created_at, id] = /^(\d{4}-[\d:.TZ-]+) ([a-z]+_[\w-]+)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (!created_at || !id || Number.isNaN(Date.parse(created_at))) throw new ApiError('cursor_invalid');
  return { created_at, id };
}

/** Makes a page from rows that were read with a limit of one more, and the cursor of the next page. */
export function paginate<Row extends Position>(rows: readonly Row[], limit: number): { rows: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, next_cursor: rows.length > limit && last ? writeCursor(last) : null };
}
