import type { LogLine } from '@paddock/contract';
import type { Server } from './context.ts';

export interface StoredLines {
  lines: LogLine[];
  /** The live log continues after this number. */
  last: number;
  /** Lines before this number were not searched, although they may match; null if all were searched. */
  unsearched: number | null;
}

export interface WantedLines {
  /** Id of the deployment. */
  id: string;
  level: string | undefined;
}

interface LastLines extends WantedLines {
  limit: number;
  search?: string | undefined;
  /** Only lines before this number. */
  before?: number | undefined;
  /** Maximum number of searches, each of which takes the server at most 1.5 s. */
  maxLooks?: number;
}

/** The last lines, oldest first. */
export async function lastLines({ api }: Server, { id, limit, level, search, before, maxLooks = 40 }: LastLines): Promise<StoredLines> {
  const { logs: newest } = await api.logs.list({ id, limit: 1 });
  const last = newest.at(-1)?.number ?? 0;
  if (limit === 0 || last === 0) return { lines: [], last, unsearched: null };
  const filter = { ...(level ? { level } : {}), ...(search ? { search } : {}) };
  const found: LogLine[] = [];
  let end: number | null = Math.min(before ?? last + 1, last + 1);
  // The server searches for a bounded time and reports how far it got.
  for (let look = 0; look < maxLooks && end !== null && found.length < limit; look++) {
    const { logs, searched_to } = await api.logs.list({ id, limit: limit - found.length, before: end, ...filter });
    found.unshift(...logs);
    // A server of the previous release has no such field: it always searches to the end.
    end = searched_to ?? null;
  }
  return { lines: found, last, unsearched: found.length < limit ? end : null };
}
