import type { Choice, DeploymentDetail } from '@paddock/contract';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { may } from '../may.ts';

const OtherStartDialog = lazy(() => import('./OtherStartDialog.tsx').then((module) => ({ default: module.OtherStartDialog })));

/** Commands and folders of the archive that could be started instead, each with a button that starts it. */
export function OtherStarts({ deployment, choices }: { deployment: DeploymentDetail; choices: readonly Choice[] }) {
  const [chosen, setChosen] = useState<Choice>();
  const isReady = may.redeploy(deployment);
  return (
    <>
      <ul aria-label="Other ways to start" className="flex flex-col divide-y divide-border">
        {choices.map((choice) => (
          <li key={nameOf(choice)} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 first:pt-0 last:pb-0">
            <div className="min-w-48 flex-1">
              <code className="font-mono text-mono wrap-anywhere">{choice.start ?? `${choice.root}/`}</code>
              <p className="text-sm wrap-anywhere text-muted">{explanation(choice, deployment.plan?.root)}</p>
            </div>
            <Button disabled={!isReady} aria-label={`Use this: ${nameOf(choice)}`} onClick={() => setChosen(choice)}>
              Use this
            </Button>
          </li>
        ))}
      </ul>
      {isReady ? null : <p className="mt-2 text-sm text-muted">Available once this deployment is ready or has ended.</p>}
      <Suspense fallback={null}>
        {chosen ? <OtherStartDialog deployment={deployment} choice={chosen} onClose={() => setChosen(undefined)} /> : null}
      </Suspense>
    </>
  );
}

const nameOf = ({ root, start }: Choice) => [start, root === undefined ? undefined : `${root}/`].filter(Boolean).join(' in ');

/** The content of a folder, or the file that names a command, with its folder if that differs from the plan's. */
function explanation({ root, start, because }: Choice, planned: string | undefined): string {
  if (start === undefined) return `Folder: ${because}`;
  return root === undefined || root === planned ? because : `${because}, in the folder ${root}`;
}
