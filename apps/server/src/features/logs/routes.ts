import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type LogLine, logs } from '@paddock/contract';
import { serve } from '../../http/serve.ts';
import type { LogStore } from './store.ts';

const ticketLifetime_s = 60;
const downloadPage = 2000;

export const ticketHash = (ticket: string) => createHash('sha256').update(ticket).digest();

export const logRoutes = (store: LogStore) =>
  serve(logs, {
    async list({ id, limit, after, before, level, search }, { actor }) {
      const lines = await store.page(actor.team_id, id, { after, before, limit }, { level, search });
      return { logs: lines, next_cursor: null };
    },
    async ticket({ id }, { actor }) {
      await store.mustExist(actor.team_id, id);
      const ticket = `pdt_${randomBytes(24).toString('base64url')}`;
      const [saved] = await store.saveTicket({
        token_hash: ticketHash(ticket),
        team_id: actor.team_id,
        reader: actor,
        deployment_id: id,
        lifetime_s: ticketLifetime_s,
      });
      return { ticket, expires_at: saved!.expires_at };
    },
    async download({ id, level, search, format }, { actor, signal }) {
      await store.mustExist(actor.team_id, id);
      const body = Readable.from(everyLine(store, id, { level, search }, format === 'text' ? textLine : jsonLine), { signal });
      return format === 'text'
        ? { file_name: `${id}.log`, content_type: 'text/plain; charset=utf-8', body }
        : { file_name: `${id}.jsonl`, content_type: 'application/x-ndjson; charset=utf-8', body };
    },
  });

/** Pages through the log by number, so a download of any size takes the memory of one page. */
async function* everyLine(
  store: LogStore,
  id: string,
  filter: { level?: LogLine['level'] | undefined; search?: string | undefined },
  write: (line: LogLine) => string,
) {
  for (let after = 0; ; ) {
    const lines = await store.after(id, after, downloadPage, filter);
    if (!lines.length) return;
    after = lines.at(-1)!.number;
    yield lines.map(write).join('');
  }
}

// A line of an agent cannot begin a new record: line ends within it were ends of lines before.
const textLine = (line: LogLine) => `${line.created_at} ${line.level.toUpperCase().padEnd(7)} ${line.message}\n`;
const jsonLine = (line: LogLine) => `${JSON.stringify(line)}\n`;
