import type { AuditActionType, AuditFilter, AuditStatus } from '@paddock/contract';
import { parseTime } from '../commands/logs.ts';
import type { Context, Server } from '../context.ts';
import { usage } from '../failures.ts';
import { theProject } from '../project.ts';

export interface FilterOptions {
  agent?: string;
  type?: AuditActionType;
  status?: AuditStatus;
  since?: string;
  until?: string;
  search?: string;
  trace?: string;
  user?: string;
}

/** The contract's filter for the typed options. The agent of a deleted project can be named by the project's id. */
export async function buildAuditFilter(context: Context, server: Server, options: FilterOptions): Promise<AuditFilter> {
  const { agent, type, status, since, until, search, trace, user } = options;
  if (trace !== undefined && !/^[0-9a-f]{32}$/i.test(trace)) throw usage('The id of a trace has 32 hexadecimal digits.');
  const now = new Date();
  const filter: AuditFilter = {};
  if (since !== undefined) filter.date_from = parseTime(since, now);
  if (until !== undefined) filter.date_to = parseTime(until, now, '--until');
  if (type !== undefined) filter.action_type = type;
  if (status !== undefined) filter.status = status;
  if (search !== undefined) filter.search = search;
  if (trace !== undefined) filter.trace_id = trace.toLowerCase();
  if (user !== undefined) filter.user = user;
  if (agent !== undefined) filter.agent = agent.startsWith('prj_') ? agent : (await theProject(context, agent, server)).id;
  return filter;
}
