import type { startApi } from './server.ts';
import { teamOf } from './team-of.ts';

/** A person's team with a project and an active deployment, written without the API: nothing is built. */
export async function deploymentIn({ sql, person }: Awaited<ReturnType<typeof startApi>>) {
  const { api, token } = await person();
  const project = await api.projects.create({ name: 'rows' });
  const team_id = await teamOf(sql, { project_id: project.id });
  const deployment_id = 'dep_rows';
  await sql`insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by)
    values (${deployment_id}, ${team_id}, ${project.id}, 'production', 'active', 'b', 'n', 1, 'u')`;
  return { sql, api, token, team_id, project_id: project.id, deployment_id };
}
