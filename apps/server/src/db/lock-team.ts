import type { Tx } from './connect.ts';

/** Until the transaction ends: what counts a team's rows before it adds one is done by one transaction after the other. */
export const lockTeam = (tx: Tx, team_id: string) => tx`
  select 1
  from teams
  where id = ${team_id}
  for no key update`;
