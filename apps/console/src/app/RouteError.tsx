import { ApiError } from '@paddock/contract/errors';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../ui/ErrorState.tsx';

/** In the place of a page that threw. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const known = error instanceof ApiError;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div className="p-4">
      <ErrorState message={known ? error.message : sentence(error)} requestId={known ? error.request_id : undefined} onRetry={retry} />
    </div>
  );
}

/** Each browser words a chunk that could not be fetched differently, but all name the module. */
const sentence = (error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  return /import(ed|ing).*module/i.test(text)
    ? 'This page could not be loaded. Check the connection and retry.'
    : `This page broke: ${text}. What runs on the server is not affected.`;
};
