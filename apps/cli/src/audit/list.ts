import type { AuditLog } from '@paddock/contract';
import { latencyText } from '@paddock/contract/figures';
import { shownText } from '@paddock/contract/terminal-text';
import type { Context } from '../context.ts';
import { usage } from '../failures.ts';
import { table } from '../terminal.ts';
import { buildAuditFilter, type FilterOptions } from './filter.ts';

const maxListed = 500;
/** A page of a search may have few records, or none, although there are more. */
const maxPages = 40;
const maxName = 40;

export async function listAuditLogs(context: Context, options: FilterOptions & { limit: string }) {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxListed) throw usage(`--limit is a number from 1 to ${maxListed}.`);
  const server = await context.server();
  const filter = await buildAuditFilter(context, server, options);
  const logs: AuditLog[] = [];
  let [cursor, matches]: [string | null, number | null] = [null, null];
  for (let page = 0; page < maxPages && logs.length < limit; page += 1) {
    const answer = await server.api.governance.auditLogs({ ...filter, limit: limit - logs.length, ...(cursor === null ? {} : { cursor }) });
    logs.push(...answer.logs);
    matches ??= answer.match_count;
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  const { terminal } = context;
  const heading = ['TIME (UTC)', 'ACTION', 'TYPE', 'STATUS', 'AGENT', 'BY', 'DURATION', 'RECORD'];
  const human = logs.length > 0 ? table(heading, logs.map(formatRow), terminal) : 'No record matches.';
  terminal.result({ logs, next_cursor: cursor, match_count: matches }, human);
  if (cursor !== null)
    terminal.note('There are more. Narrow them with --since, --type or --search, raise --limit, or export them: paddock audit export');
}

const formatRow = ({ id, timestamp, action, action_type, status, agent_name, actor, duration_ms }: AuditLog) => [
  timestamp.slice(0, 19).replace('T', ' '),
  shownText(action, maxName),
  action_type,
  status,
  shownText(agent_name ?? '–', maxName),
  shownText(actor.name ?? actor.id ?? actor.type, maxName),
  duration_ms === null ? '–' : latencyText(duration_ms),
  id,
];
