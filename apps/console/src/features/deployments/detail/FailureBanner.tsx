import type { DeploymentDetail } from '@paddock/contract';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { AddPackages } from './AddPackages.tsx';
import { CorrectedZip } from './CorrectedZip.tsx';
import { MissingVariables } from './MissingVariables.tsx';

/** Why a deployment failed, or why a job may not have done its work, with what repairs it. */
export function FailureBanner({ deployment }: { deployment: DeploymentDetail }) {
  const { status, error_message } = deployment;
  if ((status !== 'failed' && status !== 'completed') || !error_message) return null;
  const [cause = '', ...lines] = error_message.split('\n\nLast lines:\n');
  return (
    <div className="mb-4">
      <Banner tone={status === 'failed' ? 'error' : 'warning'}>
        <p className="break-words whitespace-pre-line">{cause}</p>
        {lines.length > 0 ? (
          <pre className="mt-2 max-h-60 overflow-auto font-mono text-mono break-words whitespace-pre-wrap">{lines.join('\n\n')}</pre>
        ) : null}
        <MissingVariables key={deployment.id} deployment={deployment} />
        <div className="mt-3 flex flex-wrap gap-2">
          <AddPackages deployment={deployment} />
          <CorrectedZip deployment={deployment} />
        </div>
      </Banner>
    </div>
  );
}
