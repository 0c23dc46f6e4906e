import type { Deployment } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { useNavigate } from '@tanstack/react-router';
import { toast } from 'react-hot-toast/headless';
import { api } from '../../../api/api.ts';
import { type Intention, useAction } from '../../../api/use-action.ts';
import { startedMessage } from '../messages.ts';
import { useRefreshDeployments } from '../queries.ts';

const sampleProject = 'my-first-agent';

/** Deploys the sample agent into the newest project, or into one made for it. */
async function startSample(intention: Intention): Promise<Deployment> {
  const { projects } = await api.projects.list({ limit: 1 });
  const project = projects[0] ?? (await makeProject());
  return api.deployments.sample({ project_id: project.id }, intention);
}

/** Another tab may have made the project a moment ago; then that project serves. */
async function makeProject() {
  try {
    return await api.projects.create({ name: sampleProject, description: 'Made for the sample agent' });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'project_name_taken') throw error;
    const { projects } = await api.projects.list({ limit: 500 });
    const taken = projects.find(({ name }) => name === sampleProject);
    if (!taken) throw error;
    return taken;
  }
}

/** Deploys the sample agent and goes to its log. */
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
