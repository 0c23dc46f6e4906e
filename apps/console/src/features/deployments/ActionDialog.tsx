import type { Deployment } from '@paddock/contract';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toast } from 'react-hot-toast/headless';
import { failureText } from '../../api/failure.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { useZone } from '../../ui/preferences/zone.ts';
import { absoluteTime } from '../../ui/text/time.ts';
import { RollbackChanges } from './changes/RollbackChanges.tsx';
import { restartedMessage, startedMessage } from './messages.ts';
import { type DeploymentAction, useDeploymentAction } from './queries.ts';

interface Props {
  action: DeploymentAction;
  deployment: Deployment;
  onClose: () => void;
}

/** Confirms an action on a deployment, and says what changes and what does not. */
export function ActionDialog({ action, deployment, onClose }: Props) {
  const work = useDeploymentAction(action);
  const navigate = useNavigate();
  const zone = useZone();
  const { title, body, confirm, failed } = words(action, deployment, absoluteTime(Date.parse(deployment.created_at), zone));
  const onConfirm = () =>
    work.mutate(deployment.id, {
      onSuccess: (made) => {
        onClose();
        toast.success(done[action]);
        if (made.id !== deployment.id) void navigate({ to: '/deployments/$id', params: { id: made.id } });
      },
    });
  return (
    <ConfirmDialog
      open
      danger={action === 'stop'}
      title={title}
      confirmLabel={confirm}
      busy={work.isPending}
      error={failureText(work.error, failed)}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {body}
    </ConfirmDialog>
  );
}

const done: Record<DeploymentAction, string> = {
  stop: 'Deployment stopped',
  restart: restartedMessage,
  cancel: 'Deployment cancelled',
  redeploy: startedMessage,
  promote: startedMessage,
  rollback: startedMessage,
};

function words(action: DeploymentAction, deployment: Deployment, created: string) {
  const { project_name, environment, status } = deployment;
  const where = `${environment} of ${project_name}`;
  const texts: Record<DeploymentAction, { title: string; body: ReactNode; confirm: string; failed: string }> = {
    stop: {
      title: 'Are you sure you want to stop this deployment?',
      body: `The agent of ${where} finishes its open requests and stops, and its address no longer responds. Its code, plan and log are kept, so you can redeploy it.`,
      confirm: 'Stop deployment',
      failed: 'Failed to stop deployment',
    },
    restart: {
      title: `Restart ${project_name}?`,
      body: `The agent of ${where} is started again from the same build, with the current variables. It keeps serving until the new process is ready.`,
      confirm: 'Restart',
      failed: 'Failed to restart deployment',
    },
    cancel: {
      title: 'Cancel this deployment?',
      body: `${status === 'queued' ? 'It will not be built' : 'Its build is stopped'}. Any deployment that serves ${where} keeps serving.`,
      confirm: 'Cancel deployment',
      failed: 'Failed to cancel deployment',
    },
    redeploy: {
      title: `Redeploy ${project_name}?`,
      body: `The code of ${created} is deployed to ${environment} again, with the current variables. Any deployment that serves ${where} keeps serving until the new one is ready.`,
      confirm: 'Redeploy',
      failed: 'Failed to create deployment',
    },
    promote: {
      title: `Promote ${project_name} to production?`,
      body: `The code of this preview is deployed to production, with production’s variables and databases. Any deployment that serves production of ${project_name} keeps serving until the new one is ready.`,
      confirm: 'Promote',
      failed: 'Failed to create deployment',
    },
    rollback: {
      title: `Roll back ${where}?`,
      body: (
        <>
          <p>
            The code of {created} becomes current again, as a new deployment. Any deployment that serves {where} keeps serving until it is
            ready.
          </p>
          <p className="mt-2">Variables and database contents are not rolled back.</p>
          <RollbackChanges deployment={deployment} />
        </>
      ),
      confirm: 'Roll back',
      failed: 'Failed to create deployment',
    },
  };
  return texts[action];
}
