import type { Sql } from '../../db/connect.ts';
import { appendLines } from './append.ts';
import type { MaskedLines } from './mask-lines.ts';

/** Position up to which an instance's output is stored. */
export interface Offset {
  instance_id: string;
  stream: 'stdout' | 'stderr';
  stored_bytes: number;
  is_cut: boolean;
}

/** A read of an instance's output: the lines, and the offset moves that belong to them. */
interface Collected extends MaskedLines {
  moves: { from: Offset; to: Offset }[];
}

/** All SQL about output offsets. */
export const offsetStore = (sql: Sql) => ({
  /**
   * Stores lines and moves offsets in one transaction, so that each line is stored exactly once. False when another collector was first.
   */
  collect: (team_id: string, deployment_id: string, { lines, pii, moves }: Collected): Promise<boolean> =>
    sql
      .begin(async (tx) => {
        for (const { from, to } of moves) {
          const [moved] = await tx`
            update log_offsets
            set stored_bytes = ${to.stored_bytes}, is_cut = ${to.is_cut}
            where instance_id = ${from.instance_id}
              and stream = ${from.stream}
              and stored_bytes = ${from.stored_bytes}
            returning 1`;
          if (!moved) throw new Overtaken();
        }
        // failpoint: offsets-moved
        return lines.length ? appendLines(tx, team_id, { deployment_id, lines, pii }) : true;
      })
      .catch((error: unknown) => {
        if (error instanceof Overtaken) return false;
        throw error;
      }),

  /** The current offsets, 0 at first. Undefined when the deployment is gone. */
  async offsets(deployment_id: string, instance_id: string): Promise<{ team_id: string; stdout: Offset; stderr: Offset } | undefined> {
    const [owner] = await sql<{ team_id: string }[]>`
      select team_id
      from deployments
      where id = ${deployment_id}`;
    if (!owner) return undefined;
    await sql`
      insert into log_offsets (instance_id, stream, deployment_id)
      select ${instance_id}, s, ${deployment_id}
      from unnest(array['stdout', 'stderr']) s
      on conflict do nothing`;
    const rows = await sql<Offset[]>`
      select instance_id, stream, stored_bytes, is_cut
      from log_offsets
      where instance_id = ${instance_id}`;
    const of = (stream: string) => rows.find((row) => row.stream === stream)!;
    return { team_id: owner.team_id, stdout: of('stdout'), stderr: of('stderr') };
  },
  forgetInstance: (instance_id: string) => sql`delete from log_offsets where instance_id = ${instance_id}`,

  /** Deletes offsets left by a crash between the removal of an instance and `forgetInstance`. With them the log would never be complete. */
  forgetRemoved: (node: string, present: string[]) => sql`
    delete from log_offsets o
    using deployments d
    where d.id = o.deployment_id
      and d.node = ${node}
      and (o.instance_id is distinct from d.instance_id or d.status in ('failed', 'stopped', 'completed'))
      and o.instance_id <> all(${present})`,
});

/** Another collector moved an offset first. */
class Overtaken extends Error {}
