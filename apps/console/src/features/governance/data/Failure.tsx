import { failureText, requestId } from '../../../api/failure.ts';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';

interface Props {
  of: { error: unknown; refetch: () => Promise<unknown>; isFetching: boolean };
  /** Where the server gives no sentence of its own. */
  otherwise: string;
}

/** What went wrong with a read, and the way to try again. */
export const Failure = ({ of: { error, refetch, isFetching }, otherwise }: Props) =>
  error ? (
    <ErrorState
      message={failureText(error, otherwise) ?? ''}
      requestId={requestId(error)}
      onRetry={() => void refetch()}
      busy={isFetching}
    />
  ) : null;
