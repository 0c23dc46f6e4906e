import type { Deployment } from '@paddock/contract';
import { PageLink } from '../../../navigation/links.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import type { EnvironmentStatus } from '../project-status.ts';

interface Props {
  status: EnvironmentStatus;
  problem: Deployment | undefined;
}

/** The message of the newest deployment of an environment where it failed, and what serves nevertheless. */
export function ProblemBanner({ status: { environment, shown }, problem }: Props) {
  if (!problem) return null;
  const isFailed = problem.status === 'failed';
  return (
    <div className="mb-4">
      <Banner tone={isFailed ? 'error' : 'warning'}>
        <p className="font-semibold">
          {isFailed
            ? `The latest deployment to ${environment} failed. ${outcome(shown)}`
            : `The latest run in ${environment} may not have completed its work.`}
        </p>
        <p className="break-words whitespace-pre-line">{problem.error_message}</p>
        <p>
          <PageLink to="/deployments/$id" params={{ id: problem.id }}>
            Deployment …{problem.id.slice(-4)}
          </PageLink>
        </p>
      </Banner>
    </div>
  );
}

const outcome = (shown: Deployment | undefined) =>
  shown?.is_current ? 'The previous deployment keeps serving.' : 'Nothing is serving it now.';
