import type { Deployment, Environment, Variable } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from 'react-hot-toast/headless';
import { api } from '../../api/api.ts';
import { failureText } from '../../api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { FormError } from '../../ui/feedback/FormError.tsx';
import { may } from '../deployments/may.ts';
import { startedMessage } from '../deployments/messages.ts';
import { useDeploymentAction } from '../deployments/queries.ts';

/** More are counted, not named. */
const maxNamed = 3;

interface Props {
  projectId: string;
  environment: Environment;
  variables: readonly Variable[];
  /** Names that were removed while the page was open. */
  removed: readonly string[];
}

const newestQuery = (project_id: string, environment: Environment) => ({
  queryKey: ['deployments', 'newest', project_id, environment],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.deployments.list({ project_id, environment, limit: 20 }, { signal }),
});

/** Offers to redeploy while the environment's newest deployment does not have the variables as they are now. */
export function RedeployOffer({ projectId, environment, variables, removed }: Props) {
  const { data } = useQuery(newestQuery(projectId, environment));
  const work = useDeploymentAction('redeploy');
  const navigate = useNavigate();
  const [newest] = data?.deployments ?? [];
  const source = pickSource(data?.deployments ?? []);
  if (!newest || !source) return null;
  const changed = variables.filter(({ updated_at }) => updated_at > newest.created_at).map(({ key }) => key);
  const names = [...new Set([...changed, ...removed])];
  if (names.length === 0) return null;
  const onRedeploy = () =>
    work.mutate(source.id, {
      onSuccess: ({ id }) => {
        toast.success(startedMessage);
        void navigate({ to: '/deployments/$id', params: { id } });
      },
    });
  return (
    <div className="mb-4">
      <Banner
        tone="warning"
        action={
          <Button busy={work.isPending} onClick={onRedeploy}>
            Redeploy {environment}
          </Button>
        }
      >
        <p>
          {listNames(names)} changed since the newest deployment to {environment}, which still has the former values.
        </p>
        <FormError>{failureText(work.error, 'Failed to create deployment')}</FormError>
      </Banner>
    </div>
  );
}

/** The deployment that serves, else the newest one that can be deployed again. */
const pickSource = (rows: readonly Deployment[]) =>
  rows.find((row) => row.is_current && may.redeploy(row)) ?? rows.find((row) => may.redeploy(row));

const listNames = (names: readonly string[]) =>
  names.length > maxNamed ? `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more` : names.join(', ');
