import type { Client } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';

const ticketMs = 60_000;

export function demoLogs(world: DemoWorld): Client<typeof contract>['logs'] {
  const filtered = ({ id, level, search }: { id: string; level?: string | undefined; search?: string | undefined }) => {
    const deployment = world.deployments.find(({ row }) => row.id === id);
    if (!deployment) throw new ApiError('deployment_not_found');
    const wanted = search?.toLowerCase() ?? '';
    const levels = level?.split(',');
    return deployment.lines.filter((line) => (levels?.includes(line.level) ?? true) && line.message.toLowerCase().includes(wanted));
  };
  return {
    list: ({ limit = 100, after, before, ...filter }, options) =>
      answer(() => {
        const lines = filtered(filter).filter((line) => line.number > (after ?? 0) && line.number < (before ?? Number.POSITIVE_INFINITY));
        const logs = after === undefined ? lines.slice(-limit) : lines.slice(0, limit);
        return { logs, next_cursor: after !== undefined && lines.length > limit ? String(logs.at(-1)?.number) : null, searched_to: null };
      }, options),
    counts: ({ id, search, before = Number.POSITIVE_INFINITY }, options) =>
      answer(() => {
        const levels = { debug: 0, info: 0, warning: 0, error: 0 };
        const isBefore = (line: { number: number }) => line.number < before;
        const lines = filtered({ id, search }).filter(isBefore);
        for (const { level } of lines) levels[level] += 1;
        const last_number = filtered({ id }).findLast(isBefore)?.number ?? 0;
        return { total: lines.length, levels, last_number, is_complete: true, counted_from: null };
      }, options),
    ticket: (_, options) => answer(() => ({ ticket: 'demo', expires_at: new Date(Date.now() + ticketMs).toISOString() }), options),
    download: ({ format = 'text', ...filter }, options) =>
      answer(
        () =>
          filtered(filter)
            .map((line) => (format === 'jsonl' ? JSON.stringify(line) : `${line.created_at} ${line.level.toUpperCase()} ${line.message}`))
            .join('\n'),
        options,
      ),
  };
}
