import type { Deployment, Environment } from '@paddock/contract';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/api.ts';
import { filled } from '../../../api/filled.ts';
import { useIntentions } from '../../../api/intentions.ts';
import { useRefreshDeployments } from '../queries.ts';

export interface DeployOrder {
  /** An existing project, or the name of one that is created with the deployment. */
  project: { id: string } | { name: string };
  environment: Environment;
  database_mode: 'managed' | 'byo' | 'none';
  redis_url: string;
  postgres_url: string;
  /** Build settings sent with the archive. */
  settings: { root?: string; start?: string; keep?: 'true' };
  file: File;
}

export type Sending =
  | { phase: 'idle' }
  | { phase: 'uploading'; share: number }
  /** The upload is complete; the server checks it. */
  | { phase: 'checking' }
  /** The server accepted the order; the page of the deployment is loading. */
  | { phase: 'deployed' }
  | { phase: 'failed'; error: unknown };

/**
 * Sends one order at a time. An attempt keeps its idempotency key while it is unknown whether the server accepted it, so that a retry after
 * a broken connection cannot deploy twice. Leaving the page or `cancel` aborts the upload.
 */
export function useDeploy(onStarted: (deployment: Deployment) => void) {
  const [sending, setSending] = useState<Sending>({ phase: 'idle' });
  const upload = useRef<AbortController>(undefined);
  const intentions = useIntentions();
  const refresh = useRefreshDeployments();
  useEffect(() => () => upload.current?.abort(), []);

  async function send(order: DeployOrder) {
    const intention = describe(order);
    if (!intentions.begin(intention)) return;
    const controller = new AbortController();
    upload.current?.abort();
    upload.current = controller;
    const { signal } = controller;
    setSending({ phase: 'uploading', share: 0 });
    try {
      const deployment = await api.deployments.create(input(order), {
        signal,
        idempotency_key: intentions.keyOf(intention),
        onProgress: (share) => !signal.aborted && setSending(share < 1 ? { phase: 'uploading', share } : { phase: 'checking' }),
      });
      intentions.settle(intention);
      setSending({ phase: 'deployed' });
      onStarted(deployment);
    } catch (error) {
      intentions.settle(intention, error);
      if (signal.aborted) return;
      setSending({ phase: 'failed', error });
    } finally {
      void refresh();
    }
  }

  return {
    sending,
    send,
    cancel() {
      upload.current?.abort();
      setSending((now) => (now.phase === 'deployed' ? now : { phase: 'idle' }));
    },
    /** Called when the form changes: an old failure no longer applies. */
    forget: () => setSending((now) => (now.phase === 'failed' ? { phase: 'idle' } : now)),
  };
}

function input({ project, environment, database_mode, redis_url, postgres_url, settings, file }: DeployOrder) {
  const urls = database_mode === 'byo' ? { redis_url, postgres_url } : {};
  const target = 'id' in project ? { project_id: project.id } : { project_name: project.name };
  return { ...target, environment, database_mode, ...filled(urls), ...settings, file, file_name: file.name };
}

const describe = ({ file, ...order }: DeployOrder) => [order, file.name, file.size, file.lastModified];
