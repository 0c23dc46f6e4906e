import { above, below, clauseLimits } from '../clause-limits.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding } from '../finding.ts';

const { attempts, lockMinutes } = clauseLimits['IAM-04'];
const waiver = 'Require a second factor, and accept the rest of this control with a reason';

/** IAM-04: wrong passwords lock the sign-in, for long enough. */
export const lockoutControl = ({ proveLockout }: Pick<ControlDeps, 'proveLockout'>): Control => ({
  id: 'IAM-04',
  of: 'installation',
  async check() {
    const { answered, tries, lock_seconds } = await proveLockout();
    const evidence = { answered, tries, lock_seconds };
    const minutes = Math.round(lock_seconds / 60);
    return {
      looked_at: `What up to ${tries} wrong passwords for an address that nobody has meet at the counter that each sign-in passes.`,
      resources: [
        toFinding(
          { type: 'installation', id: 'lockout', name: 'Lockout', evidence },
          {
            problems:
              answered === null
                ? [`${tries} wrong passwords were answered, and the next one was not refused.`]
                : above(attempts, answered, ({ limit, by }) => `${answered} wrong passwords were answered; ${by} allows ${limit}.`),
            fine: `After ${answered} wrong passwords the next one was refused.`,
          },
        ),
        toFinding(
          {
            type: 'installation',
            id: 'lockout-duration',
            name: 'Duration of a lockout',
            evidence,
            fix: {
              text: `The operator sets PADDOCK_LOCKOUT_MINUTES to ${lockMinutes[0].limit}. Or: ${waiver}`,
              path: '/governance?tab=compliance',
            },
          },
          {
            problems: below(
              lockMinutes,
              lock_seconds / 60,
              ({ limit, by }) => `A lockout lasts ${minutes} minutes; ${by} asks for ${limit}.`,
            ),
            fine: `A lockout lasts ${minutes} minutes.`,
          },
        ),
      ],
    };
  },
});
