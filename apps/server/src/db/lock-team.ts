import type { Tx } from './connect.ts';

/** Locks the team until the transaction ends: transactions that count a team's rows before adding one run one after the other. */
export const lockTeam = (tx: Tx, team_id: string) => tx`
  select 1
  from teams
  where id = ${team_id}
  for no key update`;
