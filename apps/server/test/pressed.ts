import { newId } from '../src/ids.ts';
import { zip } from './archives.ts';
import { startApi } from './server.ts';
import { teamOf } from './team-of.ts';

export type PressedWorld = Awaited<ReturnType<typeof pressedWorld>>;

/** An installation with two servers, and a person with a project, an active deployment and a database. */
export async function pressedWorld(t: Parameters<typeof startApi>[0]) {
  const { sql, seal, origin, beside, person } = await startApi(t);
  const servers = [origin, (await beside()).origin];
  const { api, token } = await person();
  const { id: project_id } = await api.projects.create({ name: 'pressed' });
  const team_id = await teamOf(sql, 'the only project');
  const file = zip({ 'server.js': '1' });
  const upload = () => ({ project_id, file, file_name: 'agent.zip' });
  const rows = async (table: string) => (await sql<[{ n: number }]>`select count(*)::int as n from ${sql(table)}`)[0].n;
  let projects = 0;
  /** A new project, because an environment has one current deployment and one database of a type. */
  const project = async () => (await api.projects.create({ name: `pressed-${++projects}` })).id;
  const active = async () => {
    const { id } = await api.deployments.create({ ...upload(), project_id: await project() });
    await sql`update deployments set status = 'active', is_current = true, agent_type = 'web', deployed_at = now() where id = ${id}`;
    return id;
  };
  const database = async () => {
    const id = newId('db');
    const { sealed, key_id } = seal.seal('password', `database:${id}`);
    const of = {
      id,
      team_id,
      project_id: await project(),
      environment: 'production',
      type: 'postgresql',
      mode: 'managed',
      status: 'available',
      node: 'here',
    };
    await sql`insert into databases ${sql({ ...of, machine: 'm', host: '127.0.0.1', port: 1, secret_sealed: sealed, secret_key_id: key_id })}`;
    return id;
  };
  return { sql, api, servers, token, project_id, team_id, upload, rows, active, database };
}
