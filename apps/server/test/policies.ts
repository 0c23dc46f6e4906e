import type { Policy } from '@paddock/contract';
import { zip } from './archives.ts';
import { auditSteps } from './audit.ts';
import { type Api, apiOf, type startApi } from './server.ts';

type World = Awaited<ReturnType<typeof startApi>>;

/** A person with a project, and helpers for tests of policies. */
export async function policyWorld(world: World) {
  const { api, token, email } = await world.person();
  const { id: project_id } = await api.projects.create({ name: 'ruled' });
  const [{ team_id, user_id }] = await world.sql<[{ team_id: string; user_id: string }]>`
    select m.team_id, m.user_id
    from team_members m
    join users u on u.id = m.user_id
    where u.email = ${email}`;
  const file = { file: zip({ 'server.js': '1' }), file_name: 'agent.zip' };
  return {
    api,
    token,
    email,
    team_id,
    user_id,
    project_id,
    keyApi: (key: string) => apiOf(world.origin, key),
    policy: (rules: string[], status: Policy['status'] = 'active', name = 'Strict') => api.policies.create({ name, status, rules }),
    archive: (policy: Policy) => setStatus(api, policy, 'archived'),
    deploy: (of: { environment?: 'production' | 'preview'; database_mode?: 'none' | 'managed' } = {}, by: Api = api) =>
      by.deployments.create({ project_id, ...file, ...of }),
    /** Writes pending events into the trail. */
    async record() {
      await world.app.inject({ url: '/healthz' });
      await (await auditSteps(world)).sequence();
    },
  };
}
export type PolicyWorld = Awaited<ReturnType<typeof policyWorld>>;

export const setStatus = (api: Api, { id, name, type, description, rules }: Policy, status: Policy['status']) =>
  api.policies.update({ id, name, type, description, rules, status });

/** The error of a refusal by this rule. */
export const refusedBy = (rule: string, policy = 'Strict') => ({
  code: 'policy_refused',
  status: 403,
  message: new RegExp(`^The policy "${policy}" does not allow this: ${rule.replace(/[$.*+?]/g, '\\$&')}\\.`),
});
