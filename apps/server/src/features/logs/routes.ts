import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type LogLine, logs } from '@paddock/contract';
import { serve } from '../../http/serve.ts';
import { type Filter, isFiltering, type Level } from './line-sql.ts';
import type { LogStore } from './store.ts';

const ticketLifetime_s = 60;
const downloadPage = 2000;

export const ticketHash = (ticket: string) => createHash('sha256').update(ticket).digest();

export const logRoutes = (store: LogStore) =>
  serve(logs, {
    async list({ id, limit, after, before, level, search }, { actor }) {
      const { lines, searched_to } = await store.page(actor.team_id, id, { after, before, limit }, { levels: levelsOf(level), search });
      return { logs: lines, next_cursor: null, searched_to };
    },
    async counts({ id, search }, { actor }) {
      await store.mustExist(actor.team_id, id);
      return store.counts(id, search);
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
      const body = Readable.from(everyLine(store, id, { levels: levelsOf(level), search }, format === 'text' ? textLine : jsonLine), {
        signal,
      });
      return format === 'text'
        ? { file_name: `${id}.log`, content_type: 'text/plain; charset=utf-8', body }
        : { file_name: `${id}.jsonl`, content_type: 'application/x-ndjson; charset=utf-8', body };
    },
  });

/** Pages through the log by number, so a download of any size takes the memory of one page. */
async function* everyLine(store: LogStore, id: string, filter: Filter, write: (line: LogLine) => string) {
  for (let after = 0; ; ) {
    const { lines, searched_to } = isFiltering(filter)
      ? await store.findAfter(id, after, downloadPage, filter)
      : { lines: await store.after(id, after, downloadPage), searched_to: null };
    if (lines.length === 0 && searched_to === null) return;
    after = searched_to ?? lines.at(-1)!.number;
    yield lines.map(write).join('');
  }
}

/** The contract lets only levels and commas through. */
const levelsOf = (level: string | undefined) => level?.split(',') as Level[] | undefined;

// A line of an agent cannot begin a new record: line ends within it were ends of lines before.
const textLine = (line: LogLine) => `${line.created_at} ${line.level.toUpperCase().padEnd(7)} ${line.message}\n`;
const jsonLine = (line: LogLine) => `${JSON.stringify(line)}\n`;
