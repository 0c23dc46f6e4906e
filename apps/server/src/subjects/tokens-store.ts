import type { Sql, Tx } from '../db/connect.ts';

/** Whether a text column holds one of these tokens. It reads the text once, however many tokens there are. */
export const holdsToken = (sql: Sql | Tx, column: string, tokens: readonly string[]) => sql`
  exists (
    select
    from regexp_matches(${sql.unsafe(column)}, '\\[[a-z_]+:[a-z2-9]{8}\\]', 'gi') as token
    where lower(token[1]) = any(${tokens as string[]})
  )`;
