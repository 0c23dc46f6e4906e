import type { Sql, Tx } from '../../db/connect.ts';
import { withLongTimeout } from '../../subjects/long-timeout.ts';
import { erasedMark } from '../../subjects/needles.ts';
import { listPartitions } from '../../subjects/partitions-store.ts';
import { maxExamples, type SubjectPlace } from '../../subjects/subject-store.ts';
import { holdsToken } from '../../subjects/tokens-store.ts';

/** Log lines: the values in them are replaced, the lines stay. */
export const logLines = (sql: Sql): SubjectPlace => ({
  place: 'logs',
  async find(team_id, { inText, tokens }, signal) {
    let found = 0;
    let total = 0;
    const examples: { id: string; at: string }[] = [];
    for (const table of (await listPartitions(sql, 'log_lines')).reverse()) {
      signal.throwIfAborted();
      const rows = await withLongTimeout(
        sql,
        (tx) => tx<{ deployment_id: string; number: number; at: string; found: number }[]>`
          select deployment_id, number, created_at as at, count(*) over () as found
          from ${tx(table)}
          where team_id = ${team_id}
            and (message ilike any(${inText}) or ${holdsToken(tx, 'message', tokens)})
          order by created_at desc
          limit ${maxExamples}`,
      );
      found += rows[0]?.found ?? 0;
      total += await withLongTimeout(sql, (tx) => linesIn(tx, table, team_id));
      examples.push(...rows.map(({ deployment_id, number, at }) => ({ id: `${deployment_id}:${number}`, at })));
    }
    return { found, total, examples: examples.slice(0, maxExamples) };
  },
  async erase(team_id, { inText, tokens, pattern }, signal) {
    let erased = 0;
    const tables: string[] = [];
    for (const table of await listPartitions(sql, 'log_lines')) {
      signal.throwIfAborted();
      const { count } = await withLongTimeout(
        sql,
        (tx) => tx`
          update ${tx(table)}
          set message = without_tokens(regexp_replace(message, ${pattern}, ${erasedMark}, 'gi'), ${tokens}, ${erasedMark})
          where team_id = ${team_id}
            and (message ilike any(${inText}) or ${holdsToken(tx, 'message', tokens)})`,
      );
      if (count > 0) tables.push(table);
      erased += count;
    }
    return { erased, tables };
  },
});

async function linesIn(tx: Tx, table: string, team_id: string): Promise<number> {
  const [row] = await tx<[{ lines: number }]>`
    select count(*)::int as lines
    from ${tx(table)}
    where team_id = ${team_id}`;
  return row.lines;
}
