import type { Sql } from '../../../../db/connect.ts';
import { isConnectionError } from '../../../../db/connect.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, installation, passed, unverified, unverifiedResult } from '../finding.ts';

const rounds = 7;
const maxOffsetMs = 1_000;
const looked_at = `${rounds} round trips between this server and PostgreSQL; the clock of each is compared at their middle.`;

interface Round {
  offset_ms: number;
  round_trip_ms: number;
}

/** MON-02: the clocks of this server and of PostgreSQL differ by less than a second. The fastest round trip gives the most exact value. */
export function clockControl({ sql, now }: Pick<ControlDeps, 'sql' | 'now'>): Control {
  return {
    id: 'MON-02',
    of: 'installation',
    async check(signal) {
      const measured: Round[] = [];
      try {
        for (let round = 0; round < rounds; round++) {
          signal.throwIfAborted();
          const [wall, begun] = [now(), performance.now()];
          const theirs = await databaseNowMs(sql);
          const round_trip_ms = performance.now() - begun;
          measured.push({ offset_ms: theirs - (wall + round_trip_ms / 2), round_trip_ms });
        }
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        return unverifiedResult(looked_at, 'PostgreSQL did not answer, so its clock was not read.');
      }
      const best = measured.reduce((found, one) => (one.round_trip_ms < found.round_trip_ms ? one : found));
      return { looked_at, resources: [judge(best)] };
    },
  };
}

function judge({ offset_ms, round_trip_ms }: Round) {
  const [offset, uncertain] = [Math.round(offset_ms), Math.ceil(round_trip_ms / 2)];
  const evidence = { offset_ms: offset, uncertain_by_ms: uncertain, limit_ms: maxOffsetMs };
  const finding = `The clock of PostgreSQL is ${Math.abs(offset)} ms ${offset < 0 ? 'behind' : 'ahead of'} the clock of this server, give or take ${uncertain} ms.`;
  const fix = {
    text: 'Have both machines set their clocks by NTP (chrony or systemd-timesyncd), and look with timedatectl whether they do.',
  };
  if (Math.abs(offset) - uncertain >= maxOffsetMs) return failed(installation, finding, { evidence, fix });
  if (Math.abs(offset) + uncertain >= maxOffsetMs)
    return unverified(installation, `${finding} That is not exact enough.`, { evidence, fix });
  return passed(installation, finding, evidence);
}

async function databaseNowMs(sql: Sql): Promise<number> {
  const [row] = await sql<[{ ms: number }]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  return row.ms;
}
