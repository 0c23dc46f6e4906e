import type { LogLine } from '@paddock/contract';
import { arrayLiteral } from '../../db/array-literal.ts';
import type { Tx } from '../../db/connect.ts';
import { countPii, type PiiCount } from '../../protection/pii-hours-store.ts';

export type NewLine = Pick<LogLine, 'level' | 'source' | 'message' | 'created_at'>;

interface Batch {
  deployment_id: string;
  lines: NewLine[];
  /** Counts of personal data found in the lines. */
  pii?: PiiCount | undefined;
}

// More lines than a page of the API holds, so that the last page never needs an older day.
const coveredLines = 1000;

/** Stores lines under the next numbers. Readers are notified when the transaction commits. False when the deployment is gone. */
export async function appendLines(tx: Tx, team_id: string, { deployment_id, lines, pii }: Batch): Promise<boolean> {
  const head = moveHead(tx, team_id, { deployment_id, lines });
  const [stored] = await tx`
    with head as (${head}),
    lines as (
      insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
      select ${deployment_id}, ${team_id}, last_number - ${lines.length} + n, level, source, message, created_at
      from head, unnest(
        ${arrayLiteral(lines.map((line) => line.level))}::text[],
        ${arrayLiteral(lines.map((line) => line.source))}::text[],
        ${arrayLiteral(lines.map((line) => line.message))}::text[],
        ${arrayLiteral(lines.map((line) => line.created_at))}::timestamptz[]
      ) with ordinality as t (level, source, message, created_at, n)
    )
    select pg_notify('log_lines', ${deployment_id})
    from head`;
  if (stored && pii) await countPii(tx, [pii]);
  return stored !== undefined;
}

/**
 * Assigns the numbers. The head also records which days hold the lines (0008-log-bounds.sql) and how many lines each level has
 * (0020-log-counts.sql).
 */
function moveHead(tx: Tx, team_id: string, { deployment_id, lines }: Batch) {
  // ISO timestamps in UTC sort as text.
  const first = lines.reduce((least, { created_at }) => (created_at < least ? created_at : least), lines[0]!.created_at);
  const last = lines.reduce((greatest, { created_at }) => (created_at > greatest ? created_at : greatest), first);
  const ofLevel = (level: LogLine['level']) => lines.reduce((sum, line) => sum + (line.level === level ? 1 : 0), 0);
  const debug = ofLevel('debug');
  const info = ofLevel('info');
  const warning = ofLevel('warning');
  const error = ofLevel('error');
  const covers = tx`log_heads.last_number - log_heads.newer_number >= ${coveredLines}`;
  return tx`
    insert into log_heads (
      deployment_id, team_id, last_number, bounded_number, last_at, older_at, newer_at, counted_number, debug_lines, info_lines,
      warning_lines, error_lines
    )
    select
      id, ${team_id}, ${lines.length}, ${lines.length}, ${last}, ${first}, ${first}, ${lines.length}, ${debug}, ${info},
      ${warning}, ${error}
    from deployments
    where id = ${deployment_id}
    on conflict (deployment_id) do update
    set
      last_number = log_heads.last_number + ${lines.length},
      bounded_number = log_heads.bounded_number + ${lines.length},
      counted_number = log_heads.counted_number + ${lines.length},
      debug_lines = log_heads.debug_lines + ${debug},
      info_lines = log_heads.info_lines + ${info},
      warning_lines = log_heads.warning_lines + ${warning},
      error_lines = log_heads.error_lines + ${error},
      last_at = greatest(log_heads.last_at, excluded.last_at),
      older_number = case when ${covers} then log_heads.newer_number else log_heads.older_number end,
      older_at = least(case when ${covers} then log_heads.newer_at else log_heads.older_at end, excluded.older_at),
      newer_number = case when ${covers} then log_heads.last_number else log_heads.newer_number end,
      newer_at = case when ${covers} then excluded.newer_at else least(log_heads.newer_at, excluded.newer_at) end
    returning last_number`;
}
