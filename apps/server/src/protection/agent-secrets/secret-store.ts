import type { Environment } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { databaseContext, givenSecretsContext, variableContext } from '../../secrets/contexts.ts';
import type { Seal, Sealed } from '../../secrets/seal.ts';
import { type NamedValue, secretValues } from './secret-values.ts';

interface SealedRow {
  sealed: Buffer;
  key_id: string;
}
type SealedVariable = SealedRow & { key: string; environment: Environment };
type SealedDatabase = SealedRow & { id: string; mode: 'managed' | 'byo' };

/** Number of a project's newest deployments whose secrets are read. */
const maxStarted = 50;

/** The secrets of an agent's start, in stored form. */
export const sealedSecrets = (seal: Pick<Seal, 'seal'>, deployment_id: string, env: Record<string, string>): Sealed =>
  seal.seal(JSON.stringify(secretValues(Object.entries(env).map(([key, value]) => ({ key, value })))), givenSecretsContext(deployment_id));

/**
 * Reads the secrets that agents of a project were started with, and those for future starts, of all its environments. A value that cannot be opened
 * is not passed to an agent either.
 */
export const secretReader =
  (sql: Sql, seal: Pick<Seal, 'open'>) =>
  async (team_id: string, project_id: string): Promise<string[]> => {
    const [variables, databases, started] = await Promise.all([
      sql<SealedVariable[]>`
      select key, environment, sealed, key_id
      from variables
      where team_id = ${team_id}
        and project_id = ${project_id}`,
      sql<SealedDatabase[]>`
      select id, mode, secret_sealed as sealed, secret_key_id as key_id
      from databases
      where team_id = ${team_id}
        and project_id = ${project_id}`,
      sql<(SealedRow & { id: string })[]>`
      select id, given_sealed as sealed, given_key_id as key_id
      from deployments
      where team_id = ${team_id}
        and project_id = ${project_id}
        and given_sealed is not null
      order by created_at desc
      limit ${maxStarted}`,
    ]);
    const named = [
      ...variables.map((row) => ({ key: row.key, value: opened(row, variableContext(project_id, row.environment, row.key)) })),
      ...databases.map((row) => ({ key: row.mode === 'managed' ? 'password' : 'url', value: opened(row, databaseContext(row.id)) })),
    ];
    const given = started.flatMap((row) => JSON.parse(opened(row, givenSecretsContext(row.id)) ?? '[]') as string[]);
    return [...new Set([...given, ...secretValues(named.filter((one): one is NamedValue => one.value !== undefined))])];

    function opened(row: SealedRow, context: string): string | undefined {
      try {
        return seal.open(row, context);
      } catch {
        return undefined;
      }
    }
  };
