import type { startApi } from './server.ts';

/** A person's team with a project and an active deployment, written without the API: nothing is built. */
export async function deploymentIn({ sql, person }: Awaited<ReturnType<typeof startApi>>) {
  const { api, token } = await person();
  const project = await api.projects.create({ name: 'rows' });
  const [owner] = await sql<[{ team_id: string }]>`select team_id from projects where id = ${project.id}`;
  const deployment_id = 'dep_rows';
  await sql`insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    values (${deployment_id}, ${owner.team_id}, ${project.id}, 'production', 'active', 'b', 'n', 1, 'u')`;
  return { sql, api, token, team_id: owner.team_id, project_id: project.id, deployment_id };
}
