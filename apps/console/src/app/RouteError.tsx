import { ApiError } from '@paddock/contract/errors';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';

/** In the place of a page that threw. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const known = error instanceof ApiError;
  const retry = () => {
    // React remembers that a lazy part could not be fetched; only a new page asks for it again.
    if (isUnfetched(error)) return location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <div className="p-4">
      <ErrorState message={known ? error.message : sentence(error)} requestId={known ? error.request_id : undefined} onRetry={retry} />
    </div>
  );
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Each browser words a chunk that could not be fetched differently, but all name the module. */
const isUnfetched = (error: unknown) => /import(ed|ing).*module/i.test(textOf(error));

const sentence = (error: unknown) =>
  isUnfetched(error)
    ? 'This page could not be loaded. Check the connection and retry.'
    : `This page broke: ${textOf(error)}. What runs on the server is not affected.`;
