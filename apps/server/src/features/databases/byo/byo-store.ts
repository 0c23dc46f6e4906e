import { ApiError, type Environment } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import { databaseContext } from '../../../secrets/contexts.ts';
import type { Seal } from '../../../secrets/seal.ts';
import type { CheckedByo } from './byo-check.ts';

export type ByoStore = ReturnType<typeof byoStore>;
type Place = { project_id: string; environment: Environment };
/** A database from an older release. The host is null when its URL does not have today's required form. */
export type KeptByo = Omit<CheckedByo, 'host' | 'port'> & { host: string | null; port: number | null };

/** All SQL about external databases. The whole URL is sealed; host and port are stored for display. */
export const byoStore = (sql: Sql, seal: Seal) => {
  const shown = (id: string, { url, host, port, reachable, message }: KeptByo) => {
    const { sealed, key_id } = seal.seal(url, databaseContext(id));
    const status = reachable ? 'available' : 'unreachable';
    return { host, port, status, status_message: reachable ? null : message, secret_sealed: sealed, secret_key_id: key_id };
  };
  const insert = (tx: Tx, team_id: string, { id, project_id, environment, checked }: Place & { id: string; checked: KeptByo }) => {
    const place = { project_id, environment, type: checked.type, mode: 'byo' };
    return tx`
      insert into databases ${tx({ id, team_id, ...place, ...shown(id, checked), checked_at: new Date().toISOString() })}
      on conflict do nothing
      returning id`;
  };
  const change = (tx: Tx, team_id: string, { id, checked }: { id: string; checked: CheckedByo }) => tx`
    update databases
    set ${tx({ ...shown(id, checked) })}, checked_at = now()
    where team_id = ${team_id}
      and id = ${id}
      and mode = 'byo'`;

  return {
    /**
     * Throws project_not_found, and database_taken when the environment has one of this type. Repeating it with the same id finds the one
     * created before.
     */
    create: (team_id: string, given: Place & { id: string; checked: CheckedByo }): Promise<void> =>
      sql.begin(async (tx) => {
        await lockProject(tx, team_id, given.project_id);
        const made = await insert(tx, team_id, given);
        if (made.length) return recordAction(tx, given.id);
        const [same] = await tx`
          select id
          from databases
          where team_id = ${team_id}
            and id = ${given.id}`;
        if (!same) throw new ApiError('database_taken');
      }),

    /** Throws database_not_found, and database_not_byo. */
    async mayChange(team_id: string, id: string): Promise<CheckedByo['type']> {
      const [row] = await sql<{ type: CheckedByo['type']; mode: string }[]>`
        select b.type, b.mode
        from databases b
        join projects p on p.id = b.project_id
        where b.team_id = ${team_id}
          and b.id = ${id}
          and p.deleting_at is null`;
      if (!row) throw new ApiError('database_not_found');
      if (row.mode !== 'byo') throw new ApiError('database_not_byo');
      return row.type;
    },

    change: (team_id: string, id: string, checked: CheckedByo): Promise<void> =>
      sql.begin(async (tx) => {
        await change(tx, team_id, { id, checked });
        await recordAction(tx, id);
      }),

    /**
     * Addresses given with a deployment replace the stored ones of their type; the others stay. Runs in the caller's transaction. Throws
     * input_invalid when the environment has none after that, and project_not_found.
     */
    async upsertByo(tx: Tx, team_id: string, { project_id, environment, urls }: Place & { urls: CheckedByo[] }): Promise<void> {
      await lockProject(tx, team_id, project_id);
      const stored = await tx<{ id: string; type: CheckedByo['type'] }[]>`
        select id, type
        from databases
        where team_id = ${team_id}
          and project_id = ${project_id}
          and environment = ${environment}
          and mode = 'byo'
          and is_attached`;
      for (const checked of urls) {
        const before = stored.find(({ type }) => type === checked.type);
        if (before) await change(tx, team_id, { id: before.id, checked });
        else await insert(tx, team_id, { id: newId('db'), project_id, environment, checked });
      }
      if (stored.length + urls.length > 0) return;
      const message = 'Give a PostgreSQL URL, a Redis URL, or both: none is stored for this environment';
      throw new ApiError('input_invalid', { errors: [{ path: 'postgres_url', message }], detail: message });
    },

    /** Converts addresses stored elsewhere by an older release to databases, unless there is one of the type. Throws project_not_found. */
    async keepOlder(tx: Tx, team_id: string, { kept, ...place }: Place & { kept: KeptByo[] }): Promise<void> {
      await lockProject(tx, team_id, place.project_id);
      for (const checked of kept) await insert(tx, team_id, { id: newId('db'), ...place, checked });
    },
  };
};

/** Serialises changes of one project's addresses, and blocks them while the project is deleted. */
async function lockProject(tx: Tx, team_id: string, project_id: string) {
  const [project] = await tx`
    select 1
    from projects
    where team_id = ${team_id}
      and id = ${project_id}
      and deleting_at is null
    for key share`;
  if (!project) throw new ApiError('project_not_found');
  await tx`select pg_advisory_xact_lock(hashtextextended(${`byo ${project_id}`}, 0))`;
}
