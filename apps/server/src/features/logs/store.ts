import type { LogLine } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { appendLines } from './append.ts';
import type { MaskedLines } from './mask-lines.ts';
import { offsetStore } from './offset-store.ts';
import { pageStore } from './page-store.ts';
import { removeLines } from './remove-lines.ts';
import { ticketStore } from './ticket-store.ts';

export type LogStore = ReturnType<typeof logStore>;

/** All SQL about logs. Writing lines is here; the rest is in the stores that this one combines. */
export const logStore = (sql: Sql) => ({
  ...pageStore(sql),
  ...offsetStore(sql),
  ...ticketStore(sql),

  /**
   * Stores lines under the next numbers; false when the deployment was deleted meanwhile. `onBegun` receives the transaction id before the
   * commit.
   */
  append: (team_id: string, deployment_id: string, { lines, pii, onBegun }: MaskedLines & { onBegun?: (transaction: string) => void }) =>
    sql.begin(async (tx) => {
      const [{ id }] = await tx<[{ id: string }]>`select pg_current_xact_id()::text as id`;
      onBegun?.(id);
      return await appendLines(tx, team_id, { deployment_id, lines, pii });
    }),

  /** The outcome of a transaction whose commit got no response. */
  async outcome(transaction: string): Promise<CommitStatus> {
    const [row] = await sql<[{ status: CommitStatus }]>`select pg_xact_status(${transaction}::text::xid8) as status`;
    return row.status;
  },

  /** The last messages of one source, oldest first. */
  readLast: async (deployment_id: string, source: LogLine['source'], count: number): Promise<string[]> => {
    const rows = await sql<{ message: string }[]>`
        select message
        from log_lines
        where deployment_id = ${deployment_id}
          and source = ${source}
        order by number desc
        limit ${count}`;
    return rows.map((row) => row.message).reverse();
  },
  /** Deletes all lines of deployments that are removed for good. False if lines may be left for the next call. */
  removeAll: (deployment_ids: string[], budgetMs: number) => removeLines(sql, deployment_ids, budgetMs),

  /**
   * True once no more lines can come: the deployment is final and its instances' output is stored. Output on a dead node is awaited for at
   * most five minutes.
   */
  async isComplete(deployment_id: string): Promise<boolean> {
    const [row] = await sql<{ complete: boolean }[]>`
        select status in ('failed', 'stopped', 'completed')
          and (
            ended_at < now() - interval '5 minutes'
            or not exists (
              select 1
              from log_offsets o
              where o.deployment_id = d.id
            )
          ) as complete
        from deployments d
        where id = ${deployment_id}`;
    return row?.complete ?? true;
  },
});

type CommitStatus = 'committed' | 'aborted' | 'in progress';
