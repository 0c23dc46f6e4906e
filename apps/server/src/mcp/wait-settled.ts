import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment, DeploymentDetail } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import * as z from 'zod';
import type { ToolCall, ToolResult } from './define-tool.ts';

/** Many clients and proxies end a call that is silent for a minute. */
const maxWaitS = 50;
/** Each look counts against the rate of the key, so the pauses grow. */
const firstPauseMs = 500;
const maxPauseMs = 3_000;
const failedLogLines = 50;
const settled = new Set<Deployment['status']>(['active', 'completed', 'failed', 'stopped']);

export const wait_s = z
  .number()
  .int()
  .min(0)
  .max(maxWaitS)
  .default(maxWaitS)
  .describe(
    `How long to wait until it is active, completed, failed or stopped; at most ${maxWaitS}. get_deployment tells the outcome later`,
  );

/** The deployment once it is settled, or its state at the end of the wait. */
export async function waitSettled({ api, signal }: ToolCall, id: string, seconds: number): Promise<DeploymentDetail> {
  const end = Date.now() + seconds * 1000;
  for (let pause = firstPauseMs; ; pause = Math.min(maxPauseMs, pause * 1.5)) {
    const deployment = await api.deployments.get({ id });
    if (settled.has(deployment.status) || Date.now() >= end) return deployment;
    await sleep(pause, undefined, { signal });
  }
}

/** The outcome of a new deployment, with the last log lines if it failed. */
export async function awaitOutcome(call: ToolCall, { id }: Deployment, seconds: number): Promise<ToolResult> {
  const deployment = await waitSettled(call, id, seconds);
  if (deployment.status !== 'failed') return { value: { deployment } };
  return { value: { deployment, ...(await readFailedLog(call, id)) }, hasFailed: true };
}

/** A key may permit deploying without reading logs. */
async function readFailedLog({ api }: ToolCall, id: string) {
  try {
    const { logs } = await api.logs.list({ id, limit: failedLogLines });
    return { logs: logs.map(({ level, message }) => ({ level, message })) };
  } catch (error) {
    if (error instanceof ApiError) return { logs_problem: error.message };
    throw error;
  }
}
