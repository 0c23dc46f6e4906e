import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { StageRail } from '../../../ui/feedback/StageRail.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import { LogViewer } from '../../logs/LogViewer.tsx';
import { parametersOf } from '../../logs/search.ts';
import type { LogView } from '../../logs/use-log-view.ts';
import { DeploymentStatus } from '../DeploymentStatus.tsx';
import { logLink } from '../log-link.ts';
import { deploymentQuery } from '../queries.ts';

/** The live log of one deployment above the list. */
interface Props {
  id: string;
  view: LogView;
  onView: (view: LogView) => void;
  onClose: () => void;
}

export function LogsDialog({ id, view, onView, onClose }: Props) {
  const { data } = useQuery(deploymentQuery(id));
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={data ? `Logs of ${data.project_name}` : 'Logs'}
      description={
        data ? (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <DeploymentStatus deployment={data} />
            <StageRail status={data.status} failedAt={data.failed_stage ?? undefined} />
            <span className="font-mono text-mono max-sm:hidden">{id}</span>
          </span>
        ) : undefined
      }
      footer={
        <>
          <ButtonLink to="/deployments/$id" params={{ id }} search={parametersOf(view)}>
            Deployment details
          </ButtonLink>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <LogViewer key={id} deploymentId={id} view={view} onView={onView} link={(line) => logLink(id, { ...view, line })} height="dialog" />
    </Dialog>
  );
}
