import { connect, type Sql } from '../apps/server/src/db/connect.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { startPostgres } from '../apps/server/src/db/postgres/start-postgres.ts';
import { inFolder } from './measure.ts';

const quiet = { info: () => undefined, warn: console.warn, error: console.error };

/** The embedded PostgreSQL, with the product's settings and tables, for the duration of the work. */
export const inDatabase = <T>(work: (sql: Sql, url: string) => Promise<T>): Promise<T> =>
  inFolder(async (dataDir) => {
    const server = await startPostgres({ dataDir, log: quiet, signal: AbortSignal.timeout(60_000) });
    const sql = connect(server.url, { max: 5, name: 'bench' });
    try {
      await migrate(sql);
      return await work(sql, server.url);
    } finally {
      await sql.end({ timeout: 5 });
      await server.stop();
    }
  });

/** Creates a team, a project and a deployment for other rows to refer to. */
export async function seed(sql: Sql, id = 'bench') {
  await sql`insert into teams (id, name) values (${`team_${id}`}, 'Bench') on conflict do nothing`;
  await sql`insert into projects (id, team_id, name, subdomain) values (${`prj_${id}`}, ${`team_${id}`}, ${id}, ${id}) on conflict do nothing`;
  await sql`insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    values (${`dep_${id}`}, ${`team_${id}`}, ${`prj_${id}`}, 'production', 'active', 'b', 'n', 1, 'u') on conflict do nothing`;
  return { team_id: `team_${id}`, project_id: `prj_${id}`, deployment_id: `dep_${id}` };
}
