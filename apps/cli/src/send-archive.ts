import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { contract, Deployment, Sent } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { Server } from './context.ts';

export type DeploymentInput = Sent<typeof contract.deployments.create>;

interface Archive {
  input: DeploymentInput;
  file: Blob;
  file_name: string;
  signal: AbortSignal;
  /** Gets the share that was sent, from 0 to 1. */
  onProgress: (share: number) => void;
  onRetry: () => void;
}

const maxTries = 3;

/** Sends the archive. A retry after a broken connection uses the same key, so that nothing is deployed twice. */
export async function sendArchive({ api }: Server, { input, file, file_name, signal, onProgress, onRetry }: Archive): Promise<Deployment> {
  const idempotency_key = randomUUID();
  for (let tries = 1; ; tries++) {
    try {
      return await api.deployments.create({ ...input, file, file_name }, { idempotency_key, onProgress });
    } catch (error) {
      const isPassing =
        error instanceof ApiError && (error.status === 0 || error.code === 'unavailable' || error.code === 'request_in_progress');
      if (!isPassing || tries === maxTries || signal.aborted) throw error;
      onRetry();
      await sleep(1000 * tries, undefined, { signal });
    }
  }
}
