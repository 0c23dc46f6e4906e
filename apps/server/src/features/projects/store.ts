import { ApiError, type Project, projects, type Received } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import { paginate, readCursor } from '../../http/cursor.ts';
import { subdomainFor } from '../../labels/host-labels.ts';

export type ProjectStore = ReturnType<typeof projectStore>;
type NewProject = Received<typeof projects.create> & { id: string };
type Changes = Received<typeof projects.update>;
/** A project by its name, which is valid already. */
export interface NamedProject {
  /** The id of the project, if it is created. */
  id: string;
  name: string;
  /** Throws if the caller may not create a project. */
  isAllowed: () => void;
}
export type OpenedProject = { id: string; build_settings: { root?: string; start?: string; packages?: string } | null };
type Row = Omit<Project, 'url'> & { subdomain: string };

/** The columns of a project; a field of the contract without one is a compile error. */
const columnNames = Object.keys({
  id: true,
  name: true,
  description: true,
  subdomain: true,
  created_at: true,
  build_settings: true,
} satisfies Record<Exclude<keyof Row, 'deployment_count'>, true>);

/** Removes the addresses of a project, in the transaction that deletes it. */
export type RemoveAddresses = (tx: Tx, project_id: string) => Promise<void>;

/** Throws in the transaction that created a project, which rolls it back. */
export type AssertProjectLimit = (tx: Tx, team_id: string) => Promise<void>;

const maxAttempts = 20;

/** All SQL about projects. A project that is being deleted is invisible except to the job that deletes it. */
export const projectStore = (
  sql: Sql,
  { removeAddresses, assertProjectLimit }: { removeAddresses: RemoveAddresses; assertProjectLimit: AssertProjectLimit },
) => {
  return {
    get: (team_id: string, id: string) => getProject(sql, team_id, id),

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
      return paginate(rows, limit);
    },

    /** Creates a project. A repeat with the same id returns the existing project. Throws project_name_taken and plan_limit_reached. */
    async create(team_id: string, project: NewProject): Promise<Row> {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        try {
          const subdomain = subdomainFor(project.name, attempt);
          await sql.begin(async (tx) => {
            if (await insert(tx, team_id, { ...project, subdomain, conflict: tx`(id)` })) await assertProjectLimit(tx, team_id);
          });
          return await getProject(sql, team_id, project.id);
        } catch (error) {
          if (violates(error, 'projects_name')) throw new ApiError('project_name_taken', { cause: error });
          if (!violates(error, 'projects_subdomain_key')) throw error; // another team has that label: try the next
        }
      }
      throw new Error(`no free host label after ${maxAttempts} attempts`);
    },

    named: (tx: Tx, team_id: string, wanted: NamedProject) => openProject(tx, team_id, { ...wanted, assertProjectLimit }),

    async update(team_id: string, { id, ...changes }: Changes): Promise<Row> {
      try {
        await sql.begin((tx) => change(tx, team_id, { id, ...changes }));
      } catch (error) {
        if (violates(error, 'projects_name')) throw new ApiError('project_name_taken', { cause: error });
        throw error;
      }
      return getProject(sql, team_id, id);
    },

    keepBuildSettings,

    /** From here on the project is invisible and its agents unreachable. The job `project.delete` ends the agents, then removes the rest. */
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
        await recordAction(tx, id);
        await tx`select pg_notify('work', ${id})`;
      }),

    /** The same for all projects of a team without members, in the given transaction. */
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

    deleting: (tried: string[]) => projectsToDelete(sql, tried),

    removeForGood: (team_id: string, id: string) =>
      sql`
        delete from projects
        where team_id = ${team_id}
          and id = ${id}
          and deleting_at is not null`,
  };
};

const columns = (tx: Tx) => tx`
  ${tx(columnNames.map((name) => `p.${name}`))},
  (
    select count(*)
    from deployments d
    where d.project_id = p.id
  )::int as deployment_count`;

async function getProject(sql: Sql, team_id: string, id: string): Promise<Row> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)}
    from projects p
    where p.team_id = ${team_id}
      and p.id = ${id}
      and p.deleting_at is null`;
  if (!row) throw new ApiError('project_not_found');
  return row;
}

/** Does nothing, and returns false, when a project conflicts in these columns, such as one with this id. */
async function insert(tx: Tx, team_id: string, { conflict, ...project }: Insertion): Promise<boolean> {
  const row = { ...project, team_id, created_at: tx`date_trunc('milliseconds', clock_timestamp())` };
  const [made] = await tx`
    insert into projects ${tx(row as never)}
    on conflict ${conflict} do nothing
    returning 1`;
  // A deployment may create its project, too.
  if (made) await recordAction(tx, project.id, { action: 'project.create', input: { name: project.name } });
  return made !== undefined;
}

interface Insertion extends NewProject {
  subdomain: string;
  conflict: ReturnType<Tx>;
}

async function openProject(
  tx: Tx,
  team_id: string,
  { id, name, isAllowed, assertProjectLimit }: NamedProject & { assertProjectLimit: AssertProjectLimit },
): Promise<OpenedProject> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [known] = await tx<OpenedProject[]>`
      select id, build_settings
      from projects
      where team_id = ${team_id}
        and name = ${name}
        and deleting_at is null`;
    if (known) return known;
    isAllowed();
    // If a concurrent transaction creates the project of this name, this one waits for it and finds it. Or another team has that label.
    const subdomain = subdomainFor(name, attempt);
    if (await insert(tx, team_id, { ...projects.create.input.parse({ name }), id, subdomain, conflict: tx`` })) {
      await assertProjectLimit(tx, team_id);
      return { id, build_settings: null };
    }
  }
  throw new Error(`no free host label after ${maxAttempts} attempts`);
}

/** Absent fields stay as they are. */
async function change(tx: Tx, team_id: string, { id, ...fields }: Changes): Promise<void> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const [changed] = await tx`
    update projects
    set ${tx({ id, ...given })}
    where team_id = ${team_id}
      and id = ${id}
      and deleting_at is null
    returning 1`;
  if (changed) await recordAction(tx, id);
}

/** The folder and start command for later uploads; null clears them. */
async function keepBuildSettings(tx: Tx, { team_id, id }: { team_id: string; id: string }, settings: Project['build_settings']) {
  await tx`
    update projects
    set build_settings = ${settings === null ? null : tx.json(settings)}
    where team_id = ${team_id}
      and id = ${id}`;
}

/**
 * Projects to be removed permanently: first one of each team, then a second of each, and so on. Projects that were tried before (`tried`, the last
 * attempt at the end) come after the others of their team, and after those of other teams at the same position.
 */
const projectsToDelete = (sql: Sql, tried: string[]) => sql<{ id: string; team_id: string }[]>`
  select p.id, p.team_id
  from projects p
  left join unnest(${tried}::text[]) with ordinality as tried (id, place) on tried.id = p.id
  where p.deleting_at is not null
  order by
    row_number() over (partition by p.team_id order by tried.place nulls first, p.deleting_at),
    tried.place nulls first,
    p.deleting_at
  limit 20`;

const violates = (error: unknown, constraint: string) => {
  const { code, constraint_name } = Object(error) as { code?: string; constraint_name?: string };
  return code === '23505' && constraint_name === constraint;
};
