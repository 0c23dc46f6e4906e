import type { Verification } from '@paddock/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/api.ts';
import { useAction } from '../../../api/use-action.ts';
import { summaryQuery } from '../queries.ts';

export interface Progress {
  upTo: number;
  head: number;
}

/** Verifies the whole chain in several calls, each from where the one before ended. Unmounting or `stop` aborts it. */
export function useVerify() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  const verify = useAction({
    mutationFn: async (): Promise<Outcome> => {
      const { signal } = (stopping.current = new AbortController());
      let checked = 0;
      let from: number | null = 1;
      let last: Verification | undefined;
      while (from !== null && !signal.aborted) {
        const before: number = from;
        try {
          last = await api.governance.verifyAuditLogs({ from_seq: before }, { signal });
        } catch (error) {
          if (signal.aborted) break;
          throw error;
        }
        checked += last.checked;
        setProgress({ upTo: last.up_to_seq, head: last.head_seq });
        // Stop if a call makes no progress, so that the loop ends.
        from = last.valid && last.next_seq !== null && last.next_seq > before ? last.next_seq : null;
      }
      return { checked, last, isStopped: signal.aborted };
    },
    onSettled: () => {
      setProgress(undefined);
      return client.invalidateQueries({ queryKey: summaryQuery.queryKey });
    },
  });
  return {
    progress,
    outcome: verify.data,
    error: verify.error,
    busy: verify.isPending,
    run: () => verify.mutate(),
    stop: () => stopping.current?.abort(),
  };
}

export interface Outcome {
  /** Number of records checked by all calls together. */
  checked: number;
  last: Verification | undefined;
  isStopped: boolean;
}
