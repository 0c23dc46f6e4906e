import { ApiError, type Environment, type Variable } from '@paddock/contract';
import { variableLimits } from '@paddock/contract/limits';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import { variableContext } from '../../secrets/contexts.ts';
import { type Seal, sealBytes } from '../../secrets/seal.ts';

export type VariableStore = ReturnType<typeof variableStore>;

/** The project and environment of variables. */
interface Place {
  project_id: string;
  environment: Environment;
}

export interface NewVariable {
  key: string;
  value: string;
  available_at_build: boolean;
}

/** All SQL about variables. Values are sealed before they are stored and opened only for a build or a start. */
export const variableStore = (sql: Sql, seal: Seal) => {
  const mustExist = async (team_id: string, project_id: string) => {
    const [row] = await sql`
      select 1
      from projects
      where team_id = ${team_id}
        and id = ${project_id}
        and deleting_at is null`;
    if (!row) throw new ApiError('project_not_found');
  };
  const list = async (team_id: string, project_id: string, environment?: Environment) => {
    await mustExist(team_id, project_id);
    return sql<Variable[]>`
      select key, environment, available_at_build, updated_at
      from variables
      where team_id = ${team_id}
        and project_id = ${project_id}
        ${environment ? sql`and environment = ${environment}` : sql``}
      order by environment, key`;
  };

  return {
    list,

    /** Throws project_not_found, variable_not_found. */
    async get(team_id: string, { project_id, environment }: Place, key: string): Promise<Variable> {
      const row = (await list(team_id, project_id, environment)).find((each) => each.key === key);
      if (!row) throw new ApiError('variable_not_found');
      return row;
    },

    async set(team_id: string, { project_id, environment }: Place, variables: NewVariable[]) {
      await mustExist(team_id, project_id);
      await sql.begin(async (tx) => {
        for (const { key, value, available_at_build } of variables) {
          const { sealed, key_id } = seal.seal(value, variableContext(project_id, environment, key));
          await tx`insert into variables (team_id, project_id, environment, key, sealed, key_id, available_at_build)
            values (${team_id}, ${project_id}, ${environment}, ${key}, ${sealed}, ${key_id}, ${available_at_build})
            on conflict (project_id, environment, key) do update
            set sealed = excluded.sealed, key_id = excluded.key_id, available_at_build = excluded.available_at_build, updated_at = now()`;
        }
        await mustFit(tx, team_id, { project_id, environment });
        const keys = variables.map(({ key }) => key);
        await recordAction(tx, keys, { project_id, input: { keys } });
      });
      return list(team_id, project_id, environment);
    },

    async remove(team_id: string, { project_id, environment }: Place, key: string) {
      await mustExist(team_id, project_id);
      await sql.begin(async (tx) => {
        const [row] = await tx`
          delete from variables
          where team_id = ${team_id}
            and project_id = ${project_id}
            and environment = ${environment}
            and key = ${key}
          returning key`;
        if (!row) throw new ApiError('variable_not_found');
        await recordAction(tx, key, { project_id });
      });
    },

    /** Variables with their values, for a build or a start. */
    async open(team_id: string, { project_id, environment }: Place): Promise<(NewVariable & Pick<Variable, 'updated_at'>)[]> {
      const rows = await sql<(Pick<Variable, 'key' | 'available_at_build' | 'updated_at'> & { sealed: Buffer; key_id: string })[]>`
        select key, sealed, key_id, available_at_build, updated_at
        from variables
        where team_id = ${team_id}
          and project_id = ${project_id}
          and environment = ${environment}`;
      return rows.map(({ key, available_at_build, updated_at, ...sealed }) => ({
        key,
        value: seal.open(sealed, variableContext(project_id, environment, key)),
        available_at_build,
        updated_at,
      }));
    },
  };
};

/**
 * Throws variables_too_large for an environment with more variables than an agent can be started with. Called after the write: the table's trigger
 * locks the team's version until the transaction ends, so that two writers of one team cannot exceed the limits together.
 */
async function mustFit(tx: Tx, team_id: string, { project_id, environment }: Place): Promise<void> {
  const [{ count, bytes }] = await tx<[{ count: number; bytes: number }]>`
    select
      count(*)::int as count,
      coalesce(sum(octet_length(key) + octet_length(sealed) - ${sealBytes}), 0)::float8 as bytes
    from variables
    where team_id = ${team_id}
      and project_id = ${project_id}
      and environment = ${environment}`;
  const { count: maxCount, sumBytes } = variableLimits;
  const shown = (figure: number) => figure.toLocaleString('en');
  if (count > maxCount)
    throw new ApiError('variables_too_large', {
      detail: `${environment} would have ${shown(count)} variables, and ${maxCount} variables are the limit. Nothing was set.`,
    });
  if (bytes > sumBytes)
    throw new ApiError('variables_too_large', {
      detail: `The variables of ${environment} would have ${shown(bytes)} bytes in names and values, and ${shown(sumBytes)} bytes are the limit. Nothing was set. Large values belong in a file of the archive or in a database.`,
    });
}
