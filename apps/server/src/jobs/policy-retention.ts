import { recordSystemAction } from '../audit/record-system-action.ts';
import type { Sql, Tx } from '../db/connect.ts';
import type { Log } from '../log.ts';
import { createIsolatedLoop } from './isolated-loop.ts';

/** Retention of a team, with the rule and the policy that require it. */
interface KeptAtMost {
  team_id: string;
  days: number;
  by: { policy_id: string; policy: string; text: string };
}
export type TeamsKeptAtMost = () => Promise<KeptAtMost[]>;

/** Rows that one transaction removes: a longer transaction would block writers. */
export const removedTogether = 2_000;

interface Deps {
  sql: Sql;
  log: Log;
  keptAtMost: TeamsKeptAtMost;
  /** Removes at most `removedTogether` rows of a team that are older than `days`; returns their number. */
  remove: (tx: Tx, team_id: string, days: number) => Promise<number>;
}

/** Removes rows that teams retain for a shorter time than this installation. The removal is recorded with policy and rule. */
export function policyRetention({ sql, log, keptAtMost, remove }: Deps) {
  const each = createIsolatedLoop(log, 'removing data beyond the retention of a policy');
  return async (signal: AbortSignal): Promise<void> => {
    await each(
      await keptAtMost(),
      ({ team_id }) => team_id,
      async ({ team_id, days, by }) => {
        let removed = 0;
        let together = removedTogether;
        while (together === removedTogether && !signal.aborted) {
          together = await sql.begin((tx) => remove(tx, team_id, days));
          removed += together;
        }
        const output = { policy: by.policy, rule: by.text, removed };
        if (removed > 0) await recordSystemAction(sql, { team_id, action: 'policy.enforce', id: by.policy_id, output });
      },
    );
  };
}
