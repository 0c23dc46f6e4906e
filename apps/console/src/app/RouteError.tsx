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
      <ErrorState
        message={
          known
            ? error.message
            : `This page broke: ${error instanceof Error ? error.message : String(error)}. What runs on the server is not affected.`
        }
        requestId={known ? error.request_id : undefined}
        onRetry={retry}
      />
    </div>
  );
}
