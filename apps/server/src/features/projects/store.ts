import { ApiError, type Project } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { pageOf, readCursor } from '../../http/cursor.ts';
import { subdomainFor } from '../../labels/host-labels.ts';

export type ProjectStore = ReturnType<typeof projectStore>;
type Row = Omit<Project, 'url'> & { subdomain: string };

/** Takes the addresses of a project away, with the transaction that deletes it. */
export type RemoveAddresses = (tx: Tx, project_id: string) => Promise<void>;

/** All SQL about projects. A project that is being deleted is gone for everybody but the sweeper. */
export const projectStore = (sql: Sql, removeAddresses: RemoveAddresses) => {
  const columns = (tx: Tx) => tx`
    p.id, p.name, p.description, p.subdomain, p.created_at,
    (
      select count(*)
      from deployments d
      where d.project_id = p.id
    )::int as deployment_count`;

  const get = async (team_id: string, id: string): Promise<Row> => {
    const [row] = await sql<Row[]>`
      select ${columns(sql)}
      from projects p
      where p.team_id = ${team_id}
        and p.id = ${id}
        and p.deleting_at is null`;
    if (!row) throw new ApiError('project_not_found');
    return row;
  };

  return {
    get,

    async list(team_id: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const at = readCursor(cursor);
      const rows = await sql<Row[]>`
        select ${columns(sql)}
        from projects p
        where p.team_id = ${team_id}
          and p.deleting_at is null
          ${at ? sql`and (p.created_at, p.id) < (${at.created_at}, ${at.id})` : sql``}
        order by p.created_at desc, p.id desc
        limit ${limit + 1}`;
      return pageOf(rows, limit);
    },

    /** Repeating it with the same id finds the project made before. Throws project_name_taken. */
    async create(team_id: string, project: { id: string; name: string; description: string }): Promise<Row> {
      for (let attempt = 0; attempt < 20; attempt++) {
        try {
          const subdomain = subdomainFor(project.name, attempt);
          await sql`
            insert into projects (id, team_id, name, description, subdomain, created_at)
            values (${project.id}, ${team_id}, ${project.name}, ${project.description}, ${subdomain},
              date_trunc('milliseconds', clock_timestamp()))
            on conflict (id) do nothing`;
          return await get(team_id, project.id);
        } catch (error) {
          if (violates(error, 'projects_name')) throw new ApiError('project_name_taken', { cause: error });
          if (!violates(error, 'projects_subdomain_key')) throw error; // that label is another team's: take the next
        }
      }
      throw new Error('no free host label after 20 attempts');
    },

    async update(team_id: string, id: string, change: { name?: string | undefined; description?: string | undefined }): Promise<Row> {
      try {
        await sql`
          update projects
          set name = coalesce(${change.name ?? null}, name),
            description = coalesce(${change.description ?? null}, description)
          where team_id = ${team_id}
            and id = ${id}
            and deleting_at is null`;
      } catch (error) {
        if (violates(error, 'projects_name')) throw new ApiError('project_name_taken', { cause: error });
        throw error;
      }
      return get(team_id, id);
    },

    /** From here on the project is invisible and its agents unreachable; the sweeper ends the agents, then removes the rest. */
    delete: (team_id: string, id: string) =>
      sql.begin(async (tx) => {
        const [row] = await tx`
          update projects
          set deleting_at = now()
          where team_id = ${team_id}
            and id = ${id}
            and deleting_at is null
          returning id`;
        if (!row) throw new ApiError('project_not_found');
        await removeAddresses(tx, id);
        await tx`select pg_notify('work', ${id})`;
      }),

    /** The same for all projects of a team whose last member has gone, with the given transaction. */
    async deleteAll(tx: Tx, team_id: string): Promise<void> {
      const ended = await tx<{ id: string }[]>`
        update projects
        set deleting_at = now()
        where team_id = ${team_id}
          and deleting_at is null
        returning id`;
      for (const { id } of ended) {
        await removeAddresses(tx, id);
        await tx`select pg_notify('work', ${id})`;
      }
    },

    /**
     * For the sweeper: projects to be removed for good, first one of each team, then a second of each, and so on. Those that were tried before
     * (`tried`, the last try at the end) stand behind the others of their team, and behind those of other teams with the same place.
     */
    deleting: (tried: string[]) => sql<{ id: string; team_id: string }[]>`
      select p.id, p.team_id
      from projects p
      left join unnest(${tried}::text[]) with ordinality as tried (id, place) on tried.id = p.id
      where p.deleting_at is not null
      order by
        row_number() over (partition by p.team_id order by tried.place nulls first, p.deleting_at),
        tried.place nulls first,
        p.deleting_at
      limit 20`,
    removeForGood: (team_id: string, id: string) =>
      sql`
        delete from projects
        where team_id = ${team_id}
          and id = ${id}
          and deleting_at is not null`,
  };
};

const violates = (error: unknown, constraint: string) => {
  const { code, constraint_name } = Object(error) as { code?: string; constraint_name?: string };
  return code === '23505' && constraint_name === constraint;
};
