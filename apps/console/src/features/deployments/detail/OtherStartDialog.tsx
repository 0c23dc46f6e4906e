import type { Choice, DeploymentDetail } from '@paddock/contract';
import { useNavigate } from '@tanstack/react-router';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../../api/failure.ts';
import { filled } from '../../../api/filled.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { startedMessage } from '../messages.ts';
import { useOtherStart } from '../queries.ts';

interface Props {
  deployment: DeploymentDetail;
  choice: Choice;
  onClose: () => void;
}

/** Confirms a redeployment with another start command or more packages, and says for how long the change applies. */
export function OtherStartDialog({ deployment, choice: { root, start, packages }, onClose }: Props) {
  const { id, project_name, environment, plan } = deployment;
  const work = useOtherStart();
  const navigate = useNavigate();
  const given = filled({ root, start, packages });
  const isStart = packages === undefined;
  const onConfirm = () =>
    work.mutate(
      { id, ...given },
      {
        onSuccess: (made) => {
          onClose();
          toast.success(startedMessage);
          void navigate({ to: '/deployments/$id', params: { id: made.id } });
        },
      },
    );
  return (
    <ConfirmDialog
      open
      title={isStart ? `Change how ${project_name} starts?` : `Deploy ${project_name} with additional packages?`}
      confirmLabel={isStart ? 'Use this' : 'Deploy with packages'}
      busy={work.isPending}
      error={failureText(work.error, 'Failed to create deployment')}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <dl className="mb-3 grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        {root === undefined ? null : <Change term="Folder" value={root} before={plan?.root} />}
        {isStart ? (
          <Change term="Start" value={start ?? 'Detected in the folder'} isText={start === undefined} before={plan?.start.join(' ')} />
        ) : (
          <Change term="Packages" value={packages} before={undefined} />
        )}
      </dl>
      <p>
        The same code is deployed to {environment} again, with the current variables. Any deployment that serves {environment} of{' '}
        {project_name} keeps serving until the new one is ready.
      </p>
      <p className="mt-2">
        This is saved for the project: later uploads {isStart ? 'start this way' : 'get these packages'} too, unless they have their own
        build settings. To remove it, clear the fields under “Build settings” when you deploy.
      </p>
    </ConfirmDialog>
  );
}

interface ChangeProps {
  term: string;
  value: string;
  /** The value is plain text, not a command. */
  isText?: boolean;
  before: string | undefined;
}

/** A changed value, with the one before. */
function Change({ term, value, isText = false, before }: ChangeProps) {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 wrap-anywhere">
        {isText ? value : <code className="font-mono text-mono">{value}</code>}
        {before && before !== value ? (
          <span className="block text-sm text-muted">
            instead of <code className="font-mono text-mono">{before}</code>
          </span>
        ) : null}
      </dd>
    </>
  );
}
