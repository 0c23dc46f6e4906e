import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogLine, logs } from '@paddock/contract';
import { serve } from '../../http/serve.ts';
import { teamPlaces } from '../../http/team-places.ts';
import type { Found } from './find-store.ts';
import { isFiltering, type Level } from './line-sql.ts';
import type { LogStore } from './store.ts';
import { teamTurns } from './team-turns.ts';

const ticketSeconds = 60;
const maxRestMs = 100;
/** Lines of one stretch of the event loop. */
const downloadPage = 500;
const downloads = { perTeam: 4, atOnce: 40, retry_after_s: 10 };
const detail = `At most ${downloads.perTeam} logs of a team are downloaded at a time, and ${downloads.atOnce} of all teams. Wait until one has ended.`;

export const ticketHash = (ticket: string) => createHash('sha256').update(ticket).digest();

export const logRoutes = (store: LogStore) => {
  const turn = teamTurns();
  const places = teamPlaces({ ...downloads, detail });
  return serve(logs, {
    async list({ id, limit, after, before, level, search }, { actor }) {
      const filter = { levels: levelsOf(level), search };
      const find = () => store.page(actor.team_id, id, { after, before, limit, ...filter });
      const { lines, searched_to } = await (isFiltering(filter) ? turn(actor.team_id, find) : find());
      return { logs: lines, next_cursor: null, searched_to };
    },
    async counts({ id, search }, { actor }) {
      await store.mustExist(actor.team_id, id);
      return turn(actor.team_id, () => store.counts(id, search));
    },
    async ticket({ id }, { actor }) {
      await store.mustExist(actor.team_id, id);
      const ticket = `pdt_${randomBytes(24).toString('base64url')}`;
      const { expires_at } = await store.saveTicket({
        token_hash: ticketHash(ticket),
        team_id: actor.team_id,
        reader: actor,
        deployment_id: id,
        lifetime_s: ticketSeconds,
      });
      return { ticket, expires_at };
    },
    async download({ id, level, search, format }, { actor, signal }) {
      await store.mustExist(actor.team_id, id);
      const filter = { levels: levelsOf(level), search };
      const page = async (after: number): Promise<Found> => {
        if (!isFiltering(filter)) return { lines: await store.after(id, after, downloadPage), searched_to: null };
        return turn(actor.team_id, () => store.findAfter(id, after, { limit: downloadPage, ...filter }));
      };
      const leave = places.enter(actor.team_id);
      // Before the answer begins, so that a refusal can still be told.
      const first = await page(0).catch((error: unknown) => {
        leave();
        throw error;
      });
      const body = Readable.from(everyLine(first, page, format === 'text' ? textLine : jsonLine), { signal }).once('close', leave);
      return format === 'text'
        ? { file_name: `${id}.log`, content_type: 'text/plain; charset=utf-8', body }
        : { file_name: `${id}.jsonl`, content_type: 'application/x-ndjson; charset=utf-8', body };
    },
  });
};

/**
 * Pages through the log by number, so a download of any size takes the memory of one page. It rests after each page as long as the page took: much of
 * that time nobody else was answered.
 */
async function* everyLine(first: Found, page: (after: number) => Promise<Found>, write: (line: LogLine) => string) {
  for (let { lines, searched_to } = first; ; ) {
    if (lines.length === 0 && searched_to === null) return;
    const after = searched_to ?? lines.at(-1)!.number;
    yield lines.map(write).join('');
    const begun = performance.now();
    ({ lines, searched_to } = await page(after));
    await sleep(Math.min(maxRestMs, performance.now() - begun));
  }
}

/** The contract lets only levels and commas through. */
const levelsOf = (level: string | undefined) => level?.split(',') as Level[] | undefined;

// A line of an agent cannot begin a new record: line ends within it were ends of lines before.
const textLine = (line: LogLine) => `${line.created_at} ${line.level.toUpperCase().padEnd(7)} ${line.message}\n`;
const jsonLine = (line: LogLine) => `${JSON.stringify(line)}\n`;
