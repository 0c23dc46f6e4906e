import type { Deployment, DeploymentDetail } from '@paddock/contract';
import * as z from 'zod';
import { messageOf, ToolError } from '../failures.ts';
import { settled, untilSettled } from '../follow-deployment.ts';
import { lastLines } from '../last-lines.ts';
import { otherStarts } from '../other-starts.ts';
import { addressOf } from '../outcome.ts';
import { boundedLines, type ShownLine } from './log-lines.ts';
import type { Call, ToolResult } from './tool.ts';

const maxWaitS = 900;
/** Many clients time a call out after 60 s without a response or progress. */
const silentWaitS = 50;
const reportedWaitS = 600;
const failedLogLines = 50;
const failedLogLooks = 3;

export const wait_s = z
  .number()
  .int()
  .min(0)
  .max(maxWaitS)
  .optional()
  .describe(
    `How long to wait until it is active, completed, failed or stopped; ${reportedWaitS} by default if the client asks for progress, else ${silentWaitS}`,
  );

interface Wait {
  id: string;
  /** In seconds; the default depends on the client. */
  wait: number | undefined;
}

/** The settled deployment, or its state at the end of the wait. Progress reports its stages. */
export async function waitSettled({ context, server, progress }: Call, { id, wait }: Wait): Promise<DeploymentDetail> {
  const seconds = wait ?? (progress.isWanted ? reportedWaitS : silentWaitS);
  const bound = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([context.signal, bound]);
  if (seconds > 0) {
    try {
      return await untilSettled(server, { id, signal, onPoll: ({ status }) => progress.report(`${id} is ${status}`) });
    } catch (error) {
      if (!bound.aborted || context.signal.aborted) throw error;
    }
  }
  return server.api.deployments.get({ id });
}

/** Waits for a new deployment and returns its outcome, with the last log lines if it failed. */
export async function outcomeResult(
  call: Call,
  started: Deployment,
  { wait, ...more }: { wait: number | undefined; left_behind?: string[] },
) {
  const { id } = started;
  try {
    const deployment = await waitSettled(call, { id, wait });
    if (!hasFailed(deployment)) return deploymentResult(deployment, more);
    return { ...deploymentResult(deployment, { ...more, ...(await failedLog(call, id)) }), hasFailed: true };
  } catch (error) {
    const { code = 'wait_failed' } = error as { code?: string };
    throw new ToolError(
      code,
      `${id} was accepted and goes on, but its outcome is not known: ${messageOf(error)} Ask with get_deployment.`,
      {
        cause: error,
      },
    );
  }
}

/** A deployment as a sentence, then as JSON. */
export function deploymentResult(deployment: DeploymentDetail, more: Record<string, unknown> = {}): ToolResult {
  const value = { deployment, ...more };
  return { value, text: `${sentence(deployment)}\n\n${JSON.stringify(value)}` };
}

const hasFailed = ({ status, error_message }: DeploymentDetail) => status === 'failed' || (status === 'stopped' && error_message !== null);

function sentence(deployment: DeploymentDetail): string {
  const { id, project_name, environment, status, error_message, failed_stage } = deployment;
  const subject = `${id} (${project_name}, ${environment})`;
  if (!settled.includes(status)) return `${subject} is ${status}, and goes on. get_deployment with wait_s waits for its outcome.`;
  if (!hasFailed(deployment))
    return [`${subject} is ${status}.`, addressOf(deployment) && `Address: ${addressOf(deployment)}`, error_message]
      .filter(Boolean)
      .join(' ');
  const choices = otherStarts(deployment).length;
  const hint =
    choices > 0
      ? `\nOther ways to deploy it: ${choices}, in failure_choices and plan.choices. redeploy takes their root, start and packages.`
      : '';
  return `${subject} failed${failed_stage ? ` while ${failed_stage}` : ''}: ${error_message ?? 'no reason was given'}${hint}`;
}

/** The log of a failed deployment. A key may permit deploying without reading logs. */
async function failedLog({ server }: Call, id: string): Promise<{ logs: ShownLine[]; logs_problem?: string }> {
  try {
    const { lines } = await lastLines(server, { id, level: undefined, limit: failedLogLines, maxLooks: failedLogLooks });
    return { logs: boundedLines(lines).logs };
  } catch (error) {
    return { logs: [], logs_problem: messageOf(error) };
  }
}
