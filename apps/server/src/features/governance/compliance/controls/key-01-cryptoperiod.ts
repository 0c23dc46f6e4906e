import { plural } from '@paddock/contract/plural';
import type { Sql } from '../../../../db/connect.ts';
import { above, clauseLimits } from '../clause-limits.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { daysSince, toFinding, unverified } from '../finding.ts';

const maxAge = clauseLimits['KEY-01'].ageDays;

/** KEY-01: the age of the installation's own keys. */
export const cryptoperiodControl = ({ sql, seal }: Pick<ControlDeps, 'sql' | 'seal'>): Control => ({
  id: 'KEY-01',
  of: 'installation',
  async check() {
    const id = seal.seal('', 'compliance').key_id;
    const made = madeAt(id);
    const signed = await loadFirstSigned(sql);
    return {
      looked_at: `The age of the key that seals secrets, and of the key that signs the audit trail; at most ${maxAge[0].limit} days.`,
      resources: [
        made === null
          ? unverified(sealKey, 'The key comes from PADDOCK_SECRET_KEY, which does not tell when it was made.', {
              evidence: { key_id: id },
              fix: { text: 'Note when you made the key, and accept this control until it is to be changed' },
            })
          : toFinding(
              {
                ...sealKey,
                evidence: { key_id: id, made_at: made },
                fix: { text: 'Add a new key to secret.key and make it the current one' },
              },
              judgeAge(made),
            ),
        ...(signed === null
          ? []
          : [
              toFinding(
                {
                  type: 'key',
                  id: 'audit-signing-key',
                  name: 'Key that signs the audit trail',
                  evidence: { first_signed_at: signed },
                  fix: { text: 'Paddock does not replace this key: accept the control with a reason', path: '/governance?tab=compliance' },
                },
                judgeAge(signed),
              ),
            ]),
      ],
    };
  },
});

const sealKey = { type: 'key', id: 'seal-key', name: 'Key that seals secrets' };

const judgeAge = (made: string) => {
  const age = daysSince(made);
  return {
    problems: above(maxAge, age, ({ limit, by }) => `The key is ${age} days old; ${by} allows ${limit} days.`),
    fine: `The key is ${plural(age, 'day')} old.`,
  };
};

/** Keys made by Paddock are named after the millisecond of their creation. */
function madeAt(key_id: string): string | null {
  const [, stamp] = /^k([0-9a-z]{8,9})$/.exec(key_id) ?? [];
  return stamp === undefined ? null : new Date(Number.parseInt(stamp, 36)).toISOString();
}

/** When the installation first signed something; null before. */
async function loadFirstSigned(sql: Sql): Promise<string | null> {
  const [row] = await sql<[{ at: string | null }]>`
    select min(created_at) as at
    from audit_checkpoints`;
  return row.at;
}
