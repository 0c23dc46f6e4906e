import type { Deployment } from '@paddock/contract';
import { useNavigate } from '@tanstack/react-router';
import { toast } from 'react-hot-toast/headless';
import { api } from '../../../api/api.ts';
import { type Intention, useAction } from '../../../api/use-action.ts';
import { startedMessage } from '../messages.ts';
import { useRefreshDeployments } from '../queries.ts';
import { sampleProject } from './curl-line.ts';

/** Deploys the sample agent into the newest project if that is empty, else into the sample's own project: it replaces no other agent. */
async function startSample(intention: Intention): Promise<Deployment> {
  const { projects } = await api.projects.list({ limit: 1 });
  const empty = projects.find(({ deployment_count }) => deployment_count === 0);
  return api.deployments.sample({ project_name: empty?.name ?? sampleProject }, intention);
}

/** Deploys the sample agent and opens its page. */
export function useSample() {
  const navigate = useNavigate();
  const refresh = useRefreshDeployments();
  return useAction({
    mutationFn: (_: void, intention) => startSample(intention),
    onSuccess: ({ id }) => {
      toast.success(startedMessage);
      void navigate({ to: '/deployments/$id', params: { id } });
    },
    onSettled: refresh,
  });
}
