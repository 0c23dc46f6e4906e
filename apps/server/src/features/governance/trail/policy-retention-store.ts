import type { SigningKey } from '@paddock/audit';
import type { Tx } from '../../../db/connect.ts';
import { removedTogether } from '../../../jobs/policy-retention.ts';
import { listRemoved } from './removals/removal-store.ts';

/** Removes payloads of a team that are older than `days`; returns their number. The chain stays intact: it contains their salted hashes. */
export const removeOldPayloads = (key: () => Promise<SigningKey>) =>
  async function remove(tx: Tx, team_id: string, days: number): Promise<number> {
    await tx`select set_config('paddock.erasing', 'retention', true)`;
    await tx`
    delete from audit_remainders
    where team_id = ${team_id}
      and seq in (
        select seq
        from audit_remainders
        where team_id = ${team_id}
          and recorded_at < now() - make_interval(days => ${days}::int)
        limit ${removedTogether}
      )`;
    const gone = await tx<{ seq: number }[]>`
    delete from audit_payloads p
    using (
      select seq, recorded_at
      from audit_payloads
      where team_id = ${team_id}
        and recorded_at < now() - make_interval(days => ${days}::int)
      limit ${removedTogether}
    ) old
    where p.team_id = ${team_id}
      and p.seq = old.seq
      and p.recorded_at = old.recorded_at
    returning p.seq`;
    await listRemoved(tx, { team_id, reason: 'policy', seqs: gone.map(({ seq }) => seq) }, await key());
    return gone.length;
  };
