import type { Tx } from './connect.ts';

/** Locks a team until the transaction ends, which serialises transactions that count a team's rows before they add one. */
export const lockTeam = (tx: Tx, team_id: string) => tx`
  select 1
  from teams
  where id = ${team_id}
  for no key update`;
