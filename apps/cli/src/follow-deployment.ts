import { setTimeout as sleep } from 'node:timers/promises';
import type { DeploymentDetail, DeploymentStatus } from '@paddock/contract';
import type { Context, Server } from './context.ts';
import { exitCodes, messageOf, ToolError } from './failures.ts';
import { followLog } from './follow-log.ts';
import { withRetries } from './retry.ts';
import { logText } from './show-log.ts';
import { clean } from './terminal.ts';

export const settled: DeploymentStatus[] = ['active', 'completed', 'failed', 'stopped'];
/** A build may take 15 minutes and a start an hour; a deployment may wait longer in the queue. */
const waitMs = 6 * 60 * 60_000;
/** The longest start that a manifest may ask for. */
const maxStartMs = 60 * 60_000;
/** Time for the lines that were written just before the end. */
const lastLinesMs = 1500;
const pauseMs = 1000;

/** Follows a deployment until it runs, has run or has failed, showing its stages, its plan and its log on stderr. */
export async function followDeployment(context: Context, server: Server, id: string): Promise<DeploymentDetail> {
  const { terminal } = context;
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal, AbortSignal.timeout(waitMs)]);
  const log = terminal.json ? Promise.resolve() : showLog(context, server, { id, signal });
  try {
    return await untilSettled(server, { id, signal, onPoll: stageNotes(context) });
  } catch (error) {
    if (context.signal.aborted) throw goesOn(id);
    throw error;
  } finally {
    await Promise.race([log, sleep(lastLinesMs)]);
    over.abort();
    await log;
    terminal.progress('');
  }
}

interface Followed {
  id: string;
  signal: AbortSignal;
}

/** Polls a deployment until it runs, has run, has failed or was stopped. `onPoll` gets each state, also if nothing changed. */
export async function untilSettled(
  { api }: Server,
  { id, signal, onPoll }: Followed & { onPoll: (now: DeploymentDetail) => void },
): Promise<DeploymentDetail> {
  let version = 0;
  for (;;) {
    const now = await withRetries(() => api.deployments.get({ id }, { signal }), signal);
    onPoll(now);
    if (settled.includes(now.status)) return now;
    // The server answers at any change of the team; the pause limits the number of requests.
    const [changed] = await Promise.all([
      withRetries(() => api.system.changes({ after: version }, { signal }), signal),
      sleep(pauseMs, undefined, { signal }),
    ]);
    version = changed.version;
  }
}

/** Polls a restarted deployment until its new process serves, crashes or has ended; at most for the time that a start may take. */
export async function untilRestarted({ api }: Server, { id, signal }: Followed, restarts: number): Promise<DeploymentDetail> {
  const bound = AbortSignal.any([signal, AbortSignal.timeout(maxStartMs)]);
  for (;;) {
    const now = await withRetries(() => api.deployments.get({ id }, { signal: bound }), bound);
    if (now.status !== 'active' || now.restart_at === null || now.restarts > restarts) return now;
    await sleep(pauseMs, undefined, { signal: bound });
  }
}

/** Prints each stage when it begins, and the plan once. */
function stageNotes({ terminal }: Context): (now: DeploymentDetail) => void {
  let status = '';
  let hasShownPlan = false;
  return (now) => {
    if (now.status !== status) {
      status = now.status;
      if (!settled.includes(now.status)) terminal.note(terminal.notePaint.bold(stageText[now.status] ?? now.status));
    }
    if (now.plan && !hasShownPlan) {
      hasShownPlan = true;
      terminal.note(clean(planText(now.plan)));
    }
  };
}

const stageText: Partial<Record<DeploymentStatus, string>> = {
  queued: 'Queued',
  building: 'Building',
  deploying: 'Starting',
};

function planText(plan: NonNullable<DeploymentDetail['plan']>): string {
  const what = [plan.framework, `${plan.language}${plan.version ? ` ${plan.version}` : ''}`, plan.type].filter(Boolean).join(', ');
  const rows = [`Plan: ${what}`];
  if (plan.install) rows.push(`  install  ${plan.install.command.join(' ')}`);
  if (plan.build) rows.push(`  build    ${plan.build.join(' ')}`);
  rows.push(`  start    ${plan.start.join(' ')}`);
  for (const warning of plan.warnings) rows.push(`  warning  ${warning}`);
  return rows.join('\n');
}

async function showLog({ terminal }: Context, server: Server, { id, signal }: Followed) {
  const colours = terminal.notePaint.bold('') !== '';
  try {
    await followLog({
      server,
      deploymentId: id,
      after: 0,
      signal,
      onLines: (lines) => lines.forEach((line) => terminal.note(`  ${logText(line, { colours, paint: terminal.notePaint })}`)),
      onReconnect: () => undefined,
    });
  } catch (error) {
    // A key may permit deploying without reading logs; the outcome is shown nevertheless.
    if (!signal.aborted) terminal.note(terminal.notePaint.dim(`The log cannot be shown: ${clean(messageOf(error))}`));
  }
}

const goesOn = (id: string) =>
  new ToolError(
    'interrupted',
    `The deployment goes on without you.\n  See how it goes:  paddock status ${id}\n  Cancel it:        paddock stop ${id}`,
    { exit: exitCodes.interrupted },
  );
