import { setTimeout as sleep } from 'node:timers/promises';
import type { DeploymentDetail, DeploymentStatus } from '@paddock/contract';
import type { Context, Server } from './context.ts';
import { exitCodes, messageOf, ToolError } from './failures.ts';
import { followLog } from './follow-log.ts';
import { patiently } from './patience.ts';
import { logText } from './show-log.ts';
import { clean } from './terminal.ts';

const settled: DeploymentStatus[] = ['active', 'completed', 'failed', 'stopped'];
/** A build has 15 minutes and a start at most an hour; what waits in a queue may wait longer. */
const waitMs = 6 * 60 * 60_000;
/** Lines that were written just before the end are on their way. */
const lastLinesMs = 1500;
const pauseMs = 1000;

/** Follows a deployment until it runs, has run or has failed, showing its stages, its plan and its log on stderr. */
export async function followDeployment(context: Context, server: Server, id: string): Promise<DeploymentDetail> {
  const { terminal } = context;
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal, AbortSignal.timeout(waitMs)]);
  const log = terminal.json ? Promise.resolve() : showLog(context, server, id, signal);
  try {
    return await untilSettled(context, server, id, signal);
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

async function untilSettled({ terminal }: Context, server: Server, id: string, signal: AbortSignal): Promise<DeploymentDetail> {
  const { api } = server;
  let [status, plan, version]: [string, boolean, number] = ['', false, 0];
  for (;;) {
    const now = await patiently(() => api.deployments.get({ id }, { signal }), signal);
    if (now.status !== status) {
      status = now.status;
      if (!settled.includes(now.status)) terminal.note(terminal.notePaint.bold(stageText[now.status] ?? now.status));
    }
    if (now.plan && !plan) {
      plan = true;
      terminal.note(clean(planText(now.plan)));
    }
    if (settled.includes(now.status)) return now;
    // Waits at the server for any change of the team, and not more often than this.
    const [changed] = await Promise.all([
      patiently(() => api.system.changes({ after: version }, { signal }), signal),
      sleep(pauseMs, undefined, { signal }),
    ]);
    version = changed.version;
  }
}

const stageText: Partial<Record<DeploymentStatus, string>> = {
  queued: 'Queued',
  building: 'Building',
  deploying: 'Starting',
};

function planText(plan: NonNullable<DeploymentDetail['plan']>): string {
  const what = [plan.framework, `${plan.language}${plan.version ? ` ${plan.version}` : ''}`, plan.type].filter(Boolean).join(', ');
  const rows = [
    `Plan: ${what}`,
    ...(plan.install ? [`  install  ${plan.install.command.join(' ')}`] : []),
    ...(plan.build ? [`  build    ${plan.build.join(' ')}`] : []),
    `  start    ${plan.start.join(' ')}`,
    ...plan.warnings.map((warning) => `  warning  ${warning}`),
  ];
  return rows.join('\n');
}

async function showLog({ terminal }: Context, server: Server, deploymentId: string, signal: AbortSignal) {
  const colours = terminal.notePaint.bold('') !== '';
  try {
    await followLog({
      server,
      deploymentId,
      after: 0,
      signal,
      onLines: (lines) => lines.forEach((line) => terminal.note(`  ${logText(line, { colours, paint: terminal.notePaint })}`)),
      onReconnect: () => undefined,
    });
  } catch (error) {
    // A key may deploy without reading logs; the outcome is told all the same.
    if (!signal.aborted) terminal.note(terminal.notePaint.dim(`The log cannot be shown: ${clean(messageOf(error))}`));
  }
}

const goesOn = (id: string) =>
  new ToolError(
    'interrupted',
    `The deployment goes on without you.\n  See how it goes:  paddock status ${id}\n  Cancel it:        paddock stop ${id}`,
    exitCodes.interrupted,
  );
