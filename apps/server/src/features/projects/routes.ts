import { projects } from '@paddock/contract';
import type { AgentUrl } from '../../config.ts';
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
    create: async ({ name, description }, { actor, newId }) =>
      withUrl(await store.create(actor.team_id, { id: newId('prj'), name: checkedName(name), description })),
    get: async ({ id }, { actor }) => withUrl(await store.get(actor.team_id, id)),
    update: async ({ id, name, description }, { actor }) =>
      withUrl(await store.update(actor.team_id, id, { name: name === undefined ? undefined : checkedName(name), description })),
    async delete({ id }, { actor }) {
      await store.delete(actor.team_id, id);
      // failpoint: project-marked
      return null;
    },
  });
};
