import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '@paddock/contract';
import { teamPlaces } from '../../http/team-places.ts';
import type { DownloadFormat } from './download-store.ts';
import { type Filter, isFiltering } from './line-sql.ts';
import type { LogStore } from './store.ts';
import type { TeamSemaphore } from './team-semaphore.ts';

interface Wanted extends Filter {
  team_id: string;
  deployment_id: string;
  format: DownloadFormat;
}
/** Null at the end of the log. */
type Part = { text: string; after: number } | null;

const maxRestMs = 100;
/** Lines per part, about 100 kB of usual lines. */
const linesAtOnce = 500;
const bounds = { perTeam: 4, atOnce: 40, retry_after_s: 10 };
const detail = `At most ${bounds.perTeam} logs of a team are downloaded at a time, and ${bounds.atOnce} of all teams. Wait until one has ended.`;

/** Serves logs as files, part by part, with a limit on concurrent downloads per team. Throws too_many_requests. */
export function logDownload(store: LogStore, turn: TeamSemaphore) {
  const places = teamPlaces({ ...bounds, detail });

  return async function download(wanted: Wanted, signal: AbortSignal) {
    const partAfter = isFiltering(wanted) ? found(wanted) : whole(wanted);
    const leave = places.enter(wanted.team_id);
    // Before the response begins, so that an error can still be sent.
    const first = await partAfter(0).catch((error: unknown) => {
      leave();
      throw error;
    });
    const body = Readable.from(everyPart(first, partAfter), { signal }).once('close', leave);
    return wanted.format === 'text'
      ? { file_name: `${wanted.deployment_id}.log`, content_type: 'text/plain; charset=utf-8', body }
      : { file_name: `${wanted.deployment_id}.jsonl`, content_type: 'application/x-ndjson; charset=utf-8', body };
  };

  function whole({ deployment_id, format }: Wanted) {
    return async (after: number): Promise<Part> => {
      const part = await store.textAfter(deployment_id, { after, lines: linesAtOnce, format });
      return part && { text: part.text, after: part.last_number };
    };
  }

  function found({ team_id, deployment_id, format, ...filter }: Wanted) {
    const write = format === 'text' ? textLine : jsonLine;
    return async (after: number): Promise<Part> => {
      const { lines, searched_to } = await turn(team_id, () => store.findAfter(deployment_id, after, { limit: linesAtOnce, ...filter }));
      if (lines.length === 0 && searched_to === null) return null;
      return { text: lines.map(write).join(''), after: searched_to ?? lines.at(-1)!.number };
    };
  }
}

/**
 * Reads the log by number, so a download of any size needs the memory of one part. It pauses after each part for as long as the part took,
 * because that work kept a core busy.
 */
async function* everyPart(first: Part, partAfter: (after: number) => Promise<Part>) {
  for (let part = first; part !== null; ) {
    yield part.text;
    const begun = performance.now();
    part = await partAfter(part.after);
    await sleep(Math.min(maxRestMs, performance.now() - begun));
  }
}

// The same formats that the database writes for a whole log.
const textLine = (line: LogLine) => `${line.created_at} ${line.level.toUpperCase().padEnd(7)} ${line.message}\n`;
const jsonLine = (line: LogLine) => `${JSON.stringify(line)}\n`;
