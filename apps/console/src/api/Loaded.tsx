import type { ReactNode } from 'react';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { failureText, requestId } from './failure.ts';

interface Query<Data> {
  data?: Data | undefined;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

interface Props<Data> {
  query: Query<Data>;
  /** The error message if the server gives none, or a function that words the error. */
  failed: string | ((error: unknown) => string);
  /** Shown until the first data or error arrives. */
  skeleton?: ReactNode;
  /** Leaves space below the error. */
  isSpaced?: boolean;
  children?: (data: Data) => ReactNode;
}

/** A query on the screen: its error with Retry, its skeleton, its data. Data that has been loaded stays below the error of a later load. */
export function Loaded<Data>({ query, failed, skeleton, isSpaced = false, children }: Props<Data>) {
  const { data, error, isPending, isFetching, refetch } = query;
  const message = typeof failed === 'string' ? failureText(error, failed) : failed(error);
  const failure = <ErrorState message={message ?? ''} requestId={requestId(error)} onRetry={() => void refetch()} busy={isFetching} />;
  return (
    <>
      {error && isSpaced ? <div className="mb-4">{failure}</div> : null}
      {error && !isSpaced ? failure : null}
      {isPending ? skeleton : null}
      {data === undefined ? null : children?.(data)}
    </>
  );
}

/** Several queries as one without data: the first error, and a Retry that reads them all. */
export const combineQueries = (...queries: Query<unknown>[]): Query<never> => ({
  error: queries.find(({ error }) => error)?.error,
  isPending: queries.some(({ isPending }) => isPending),
  isFetching: queries.some(({ isFetching }) => isFetching),
  refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
});
