import { ApiError } from '@paddock/contract/errors';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';

/** Shown instead of a page that threw. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const known = error instanceof ApiError;
  const retry = () => {
    // React caches the failed load of a lazy component; only a reload fetches it again.
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

/** The message of a failed chunk load differs between browsers, but all mention the module. */
const isUnfetched = (error: unknown) => /import(ed|ing).*module/i.test(textOf(error));

const sentence = (error: unknown) =>
  isUnfetched(error)
    ? 'This page could not be loaded. Check the connection and retry.'
    : `This page crashed: ${textOf(error)}. Running agents are not affected.`;
