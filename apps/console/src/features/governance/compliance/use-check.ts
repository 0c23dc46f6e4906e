import type { ComplianceDetail } from '@paddock/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast } from 'react-hot-toast/headless';
import { isUnderWay, runQuery, useRefreshCompliance, useStartCheck } from './queries.ts';
import { messages } from './words.ts';

/** Starts a check of a framework, or follows one that is in progress; refetches the displayed data when it ends. */
export function useCheck(framework: string, underWay: ComplianceDetail['run']) {
  const start = useStartCheck(framework);
  const refresh = useRefreshCompliance();
  const id = start.data?.id ?? underWay?.id;
  const followed = useQuery({ ...runQuery(id ?? ''), enabled: id !== undefined });
  const run = followed.data ?? start.data ?? underWay ?? undefined;
  const running = isUnderWay(run);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !running) void refresh();
    was.current = running;
  });
  return {
    run,
    running,
    error: start.error,
    starting: start.isPending,
    /** The check continues, but its progress cannot be read at the moment. */
    lost: running && followed.error ? followed : undefined,
    start: () => start.mutate(undefined, { onSuccess: () => void toast.success(messages.started) }),
  };
}
