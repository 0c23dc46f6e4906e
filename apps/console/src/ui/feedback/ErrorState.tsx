import { Button } from '../controls/Button.tsx';
import { CopyButton } from '../controls/CopyButton.tsx';
import { Glyph } from '../theme/Glyph.tsx';

type Props = {
  /** The error message; a request id in it is removed if it is shown below. */
  message: string;
  /** Names the request in the server's log. */
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
  busy?: boolean;
};

/** Shown instead of content that could not be loaded: a failure must not look like an empty list. */
export function ErrorState({ message, requestId, onRetry, busy = false }: Props) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 border border-error-dot bg-surface px-4 py-3">
      <span className="text-error-fg">
        <Glyph name="cross" />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-base break-words">{message.replace(` (request ${requestId})`, '')}</p>
        {requestId ? (
          <p className="flex items-center gap-1 text-sm text-muted">
            Request <span className="font-mono text-mono break-all">{requestId}</span>
            <CopyButton text={requestId} label="Copy request id" />
          </p>
        ) : null}
      </div>
      {onRetry ? (
        <Button onClick={onRetry} busy={busy}>
          Retry
        </Button>
      ) : null}
    </div>
  );
}
