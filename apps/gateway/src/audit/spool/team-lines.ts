import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { TeamLines } from './spool-store.ts';

const deflate = promisify(deflateRaw);
/** Bytes of a line that contain its team: every line begins with it. */
const headBytes = 300;
const newline = 10;

/** Splits the lines of a batch by team, and keeps their order within a team. */
export async function linesByTeam(lines: Buffer): Promise<TeamLines[]> {
  const teams = new Map<string | null, Buffer[]>();
  for (let start = 0; start < lines.length; ) {
    const at = lines.indexOf(newline, start);
    const end = at < 0 ? lines.length : at + 1;
    const line = lines.subarray(start, end);
    const team_id = teamOf(line);
    const same = teams.get(team_id);
    if (same) same.push(line);
    else teams.set(team_id, [line]);
    start = end;
  }
  return Promise.all(
    [...teams].map(async ([team_id, own]) => ({
      team_id,
      events: await deflate(own.length === 1 ? own[0]! : Buffer.concat(own), { level: 1 }),
    })),
  );
}

const teamOf = (line: Buffer): string | null => /^\{"team_id":"([\w-]+)"/.exec(line.subarray(0, headBytes).toString('latin1'))?.[1] ?? null;
