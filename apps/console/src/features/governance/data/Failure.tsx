import { failureText, requestId } from '../../../api/failure.ts';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';

interface Props {
  of: { error: unknown; refetch: () => Promise<unknown>; isFetching: boolean };
  /** Error message, if the server gives none. */
  otherwise: string;
}

/** The error of a query, with Retry. */
export const Failure = ({ of: { error, refetch, isFetching }, otherwise }: Props) =>
  error ? (
    <ErrorState
      message={failureText(error, otherwise) ?? ''}
      requestId={requestId(error)}
      onRetry={() => void refetch()}
      busy={isFetching}
    />
  ) : null;
