import { plural } from '@paddock/contract/plural';
import { hourMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding, unverified } from '../finding.ts';

const verifyMs = 10_000;
/** Verification pauses for two thirds of that time, because agents, visitors and the database share the processors. */
const rest = 2;
/** A long trail is verified in parts by a job; its result is valid for this many hours. */
const verifiedHours = 3;

type Deps = Pick<ControlDeps, 'sql'> & { trail: Pick<ControlDeps['trail'], 'verify'> };

/** AUD-02: the records and their chain are as they were signed. */
export const auditChainControl = ({ sql, trail }: Deps): Control => ({
  id: 'AUD-02',
  of: 'team',
  async check(team_id, signal) {
    const verified = await trail.verify(team_id, { from_seq: 1, until: performance.now() + verifyMs, signal, rest });
    const { checked, head_seq, first_bad, next_seq } = verified;
    const looked_at = `${plural(checked, 'record')} of ${head_seq}, against their hashes and the signed checkpoints.`;
    const subject = { type: 'team', id: team_id, name: 'Audit trail' };
    if (first_bad || next_seq === undefined)
      return {
        looked_at,
        resources: [
          toFinding(
            {
              ...subject,
              evidence: { checked, head_seq, first_bad },
              fix: { text: 'Export the trail, keep the database as it is, and find out who changed it', path: '/governance' },
            },
            {
              problems: first_bad ? [`Record ${first_bad.seq} does not verify: ${first_bad.reason}.`] : [],
              fine: 'The whole chain verifies.',
            },
          ),
        ],
      };
    const last = await loadLastVerification(sql, team_id);
    const isRecent = last !== undefined && Date.now() - Date.parse(last.verified_at) < verifiedHours * hourMs;
    const evidence = { checked, head_seq, last_whole_verification: last ?? null };
    if (isRecent)
      return {
        looked_at: `${looked_at} The rest by the last verification of the whole, up to record ${last.up_to_seq}.`,
        resources: [
          toFinding(
            { ...subject, evidence, fix: { text: 'Export the trail, and find out who changed it', path: '/governance' } },
            { problems: last.valid ? [] : ['The last verification of the whole found a bad record.'], fine: 'The chain verifies.' },
          ),
        ],
      };
    return {
      looked_at,
      resources: [
        unverified(
          subject,
          `The trail is too long to verify at once, and its last whole verification is older than ${verifiedHours} hours.`,
          { evidence, fix: { text: 'Verify the trail on its page', path: '/governance' } },
        ),
      ],
    };
  },
});

async function loadLastVerification(
  sql: Sql,
  team_id: string,
): Promise<{ valid: boolean; up_to_seq: number; verified_at: string } | undefined> {
  const [row] = await sql<{ valid: boolean; up_to_seq: number; verified_at: string }[]>`
    select valid, up_to_seq, verified_at
    from audit_verifications
    where team_id = ${team_id}`;
  return row;
}
