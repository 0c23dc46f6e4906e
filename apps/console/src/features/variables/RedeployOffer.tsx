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
import { restartedMessage, startedMessage } from '../deployments/messages.ts';
import { useDeploymentAction } from '../deployments/queries.ts';

/** More are counted, not named. */
const maxNamed = 3;

interface Props {
  projectId: string;
  environment: Environment;
  variables: readonly Variable[];
  /** Names that were removed while the page was open. */
  removed: readonly string[];
  /** The removals are on their way to the agent. */
  onTaken: () => void;
}

const newestQuery = (project_id: string, environment: Environment) => ({
  queryKey: ['deployments', 'newest', project_id, environment],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.deployments.list({ project_id, environment, limit: 20 }, { signal }),
});

/**
 * Offers a restart while the environment's newest deployment does not have the variables as they are now, or a redeployment where a restart
 * is not enough: it does not run, or a build needs the variable.
 */
export function RedeployOffer({ projectId, environment, variables, removed, onTaken }: Props) {
  const { data } = useQuery(newestQuery(projectId, environment));
  const redeploy = useDeploymentAction('redeploy');
  const restart = useDeploymentAction('restart');
  const navigate = useNavigate();
  const [newest] = data?.deployments ?? [];
  const source = pickSource(data?.deployments ?? []);
  if (!newest || !source || newest.restart_at !== null) return null;
  const changed = variables.filter((one) => one.updated_at > takenAt(newest, one));
  const names = [...new Set([...changed.map(({ key }) => key), ...removed])];
  if (names.length === 0) return null;
  const isRestart = may.restart(newest) && !changed.some(({ available_at_build }) => available_at_build);
  const work = isRestart ? restart : redeploy;
  const onPress = () =>
    work.mutate(isRestart ? newest.id : source.id, {
      onSuccess: ({ id }) => {
        onTaken();
        toast.success(isRestart ? restartedMessage : startedMessage);
        if (!isRestart) void navigate({ to: '/deployments/$id', params: { id } });
      },
    });
  return (
    <div className="mb-4">
      <Banner
        tone="warning"
        action={
          <Button busy={work.isPending} onClick={onPress}>
            {isRestart ? 'Restart' : 'Redeploy'} {environment}
          </Button>
        }
      >
        <p>
          {listNames(names)} changed. The newest deployment to {environment} still has the former values.
        </p>
        <FormError>{failureText(work.error, isRestart ? 'Failed to restart deployment' : 'Failed to create deployment')}</FormError>
      </Banner>
    </div>
  );
}

/** The time up to which a deployment has the changes of a variable. A build reads variables once, each start reads the others anew. */
const takenAt = ({ status, created_at, variables_at }: Deployment, { available_at_build }: Variable): string =>
  status === 'active' && !available_at_build && variables_at !== null && variables_at > created_at ? variables_at : created_at;

/** The deployment that serves, else the newest one that can be deployed again. */
const pickSource = (rows: readonly Deployment[]) =>
  rows.find((row) => row.is_current && may.redeploy(row)) ?? rows.find((row) => may.redeploy(row));

const listNames = (names: readonly string[]) =>
  names.length > maxNamed ? `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more` : names.join(', ');
