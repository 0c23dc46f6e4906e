import { projects } from '@paddock/contract';
import type { AgentUrl } from '../../config/config.ts';
import { serve } from '../../http/serve.ts';
import { checkedName } from './checked-name.ts';
import type { ProjectStore } from './store.ts';

export const projectRoutes = (store: ProjectStore, agentUrl: AgentUrl) => {
  const withUrl = <Row extends { subdomain: string }>({ subdomain, ...row }: Row) => ({ ...row, url: agentUrl(subdomain) });
  return serve(projects, {
    async list(input, { actor }) {
      const { rows, next_cursor } = await store.list(actor.team_id, input);
      return { projects: rows.map(withUrl), next_cursor };
    },
    create: async (input, { actor, newId }) =>
      withUrl(await store.create(actor.team_id, { ...input, id: newId('prj'), name: checkedName(input.name) })),
    get: async ({ id }, { actor }) => withUrl(await store.get(actor.team_id, id)),
    update: async (input, { actor }) => {
      const name = input.name === undefined ? undefined : checkedName(input.name);
      return withUrl(await store.update(actor.team_id, { ...input, name }));
    },
    async delete({ id }, { actor }) {
      await store.delete(actor.team_id, id);
      // failpoint: project-marked
      return null;
    },
  });
};
