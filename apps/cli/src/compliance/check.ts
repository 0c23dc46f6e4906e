import { setTimeout as sleep } from 'node:timers/promises';
import type { ComplianceDetail, ComplianceRun, frameworkIds } from '@paddock/contract';
import type { Context } from '../context.ts';
import { exitCodes, ToolError } from '../failures.ts';
import { withRetries } from '../retry.ts';
import type { Api } from '../send.ts';
import { clean } from '../terminal.ts';

export interface CheckOptions {
  allowUnverified?: boolean;
}

const askEveryMs = 1_000;
const maxMs = 15 * 60_000;
/** Exit code if something could not be verified, or is too old. */
const inReview = 2;

/** Runs all controls of a framework, waits, and prints the failures. Exits by the verdict. */
export async function checkCompliance(
  context: Context,
  framework: (typeof frameworkIds)[number],
  { allowUnverified = false }: CheckOptions,
): Promise<number> {
  const { terminal, signal } = context;
  const { api } = await context.server();
  await completed(context, api, await api.compliance.check({ framework }));
  const detail = await withRetries(() => api.compliance.detail({ framework }), signal);
  terminal.result(detail, clean(describe(detail)));
  if (detail.status === 'compliant') return exitCodes.ok;
  if (detail.status === 'non_compliant' || detail.checks_failed > 0) return exitCodes.failed;
  return allowUnverified ? exitCodes.ok : inReview;
}

async function completed({ terminal, signal }: Context, api: Api, begun: ComplianceRun): Promise<void> {
  let run = begun;
  const untilMs = performance.now() + maxMs;
  while (run.status === 'queued' || run.status === 'running') {
    if (performance.now() > untilMs) throw broken('The check did not come to its end within 15 minutes.');
    terminal.progress(`Checking: ${run.controls_done} of ${run.controls_total} controls`);
    await sleep(askEveryMs, undefined, { signal });
    run = await withRetries(() => api.compliance.run({ id: begun.id }), signal);
  }
  if (run.status === 'failed') throw broken('The check broke off. The log of the server says why.');
}

const broken = (message: string) => new ToolError('check_failed', message, { exit: exitCodes.no_verdict });

function describe({
  name,
  status,
  checks_passed,
  checks_failed,
  checks_unverified,
  checks_not_applicable,
  details,
  controls,
}: ComplianceDetail): string {
  const failing = details.map(({ control, resource }) =>
    [`Failed      ${control}  ${resource.finding}`, ...(resource.fix ? [`            ${resource.fix.text}`] : [])].join('\n'),
  );
  const unverified = controls
    .filter((each) => each.is_stale || each.status === 'unverified')
    .map((each) => `Unverified  ${each.control}  ${each.title}${each.looked_at ? `: ${each.looked_at}` : ''}`);
  const sum = `${name}: ${status.replace('_', ' ')}. ${checks_passed} passed, ${checks_failed} failed, ${checks_unverified} not verified, ${checks_not_applicable} not applicable.`;
  return [...failing, ...unverified, sum].join('\n');
}
