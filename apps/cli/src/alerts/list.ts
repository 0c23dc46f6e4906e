import type { Alert } from '@paddock/contract';
import type { Context } from '../context.ts';
import { usage } from '../failures.ts';
import { theProject } from '../project.ts';
import { table } from '../terminal.ts';

export interface ListOptions {
  all?: boolean;
  project?: string;
  limit: string;
}

const pageSize = 500;
const maxPages = 20;

export async function listAlerts(context: Context, options: ListOptions) {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSize) throw usage(`--limit is a number from 1 to ${pageSize}.`);
  const server = await context.server();
  const name = options.project === undefined ? undefined : (await theProject(context, options.project, server)).name;
  const found: Alert[] = [];
  let [open, cursor]: [number, string | null] = [0, null];
  for (let page = 0; page < maxPages && found.length < limit; page += 1) {
    const answer = await server.api.alerts.list({
      limit: name === undefined ? limit : pageSize,
      ...(options.all ? {} : { resolved: 'false' as const }),
      ...(cursor === null ? {} : { cursor }),
    });
    found.push(...answer.alerts.filter(({ project_name }) => name === undefined || project_name === name));
    [open, cursor] = [answer.open, answer.next_cursor];
    if (cursor === null) break;
  }
  const alerts = found.slice(0, limit);
  const { terminal } = context;
  const heading = ['ALERT', 'SEVERITY', 'PROJECT', 'SINCE (UTC)', 'STATE', 'WHAT'];
  const none = options.all ? 'No alerts.' : 'No open alerts.';
  terminal.result({ alerts, open }, alerts.length > 0 ? table(heading, alerts.map(formatRow), terminal) : none);
  if (found.length > limit || cursor !== null) terminal.note('There are more: --limit shows them.');
}

const formatRow = (alert: Alert) => [
  alert.id,
  alert.severity,
  alert.project_name ?? '',
  minute(alert.created_at),
  formatState(alert),
  alert.message,
];

function formatState({ resolved_at, snoozed_until }: Alert): string {
  if (resolved_at !== null) return `resolved ${minute(resolved_at)}`;
  return snoozed_until === null ? 'open' : `snoozed until ${minute(snoozed_until)}`;
}

export const minute = (time: string) => time.slice(0, 16).replace('T', ' ');
