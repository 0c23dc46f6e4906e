import { failureText, requestId } from '../../../api/failure.ts';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';

interface Props {
  query: { error: unknown; refetch: () => Promise<unknown>; isFetching: boolean };
  /** The message for an error without a message from the server. */
  fallback: string;
}

/** The error of a part of the page, with Retry; nothing without an error. */
export function Failure({ query: { error, refetch, isFetching }, fallback }: Props) {
  if (!error) return null;
  return (
    <div className="mb-4">
      <ErrorState
        message={failureText(error, fallback) ?? fallback}
        requestId={requestId(error)}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    </div>
  );
}
