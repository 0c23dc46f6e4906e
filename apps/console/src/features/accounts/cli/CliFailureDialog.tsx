import { Button } from '../../../ui/controls/Button.tsx';
import { ButtonAnchor } from '../../../ui/controls/ButtonAnchor.tsx';
import { Dialog } from '../../../ui/overlays/Dialog.tsx';
import type { CliFailure } from './cli-failure.ts';

/** Why the command line got no key, what to do, and an alternative without a browser. */
export function CliFailureDialog({ failure, onClose, onAgain }: { failure: CliFailure; onClose: () => void; onAgain: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={failure.title}
      size="small"
      footer={
        <>
          <ButtonAnchor href="/docs/cli" target="_blank" rel="noreferrer">
            View Docs
          </ButtonAnchor>
          <Button variant="primary" onClick={onAgain}>
            Try Again
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-base">
        <p>{failure.message}</p>
        <p>{failure.solution}</p>
        <p className="text-muted">
          Without the browser: <code className="font-mono text-mono">paddock login --api-key</code> accepts a key that you created under API
          Keys.
        </p>
        {failure.details ? (
          <details className="text-sm text-muted">
            <summary className="cursor-pointer">Technical details</summary>
            <p className="mt-1 font-mono text-mono break-words">{failure.details}</p>
          </details>
        ) : null}
      </div>
    </Dialog>
  );
}
