import { plural } from '@paddock/contract/plural';
import { above, clauseLimits, strictestMax } from '../clause-limits.ts';
import type { Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { daysSince, toFinding } from '../finding.ts';

const limits = clauseLimits['IAM-06'].ageDays;
const fix = { text: 'Start an access review, and complete it', path: '/governance?tab=compliance' };

/** IAM-06: all access was reviewed recently, and what the review revoked is gone. */
export const accessReviewControl = ({ accessReviews, now }: Pick<ControlDeps, 'accessReviews' | 'now'>): Control => ({
  id: 'IAM-06',
  of: 'team',
  async check(team_id) {
    const reviews = await accessReviews.list(team_id);
    const last = reviews.find(({ completed_at }) => completed_at !== null);
    const open = reviews.find(({ completed_at }) => completed_at === null);
    const back = last ? await accessReviews.returned(team_id, last.id) : [];
    const days = last?.completed_at ? daysSince(last.completed_at, now()) : undefined;
    const waits = open ? ` A review is open, with ${plural(open.undecided, 'undecided entry', 'undecided entries')}.` : '';
    const ago = days === undefined ? '' : `The last access review was completed ${plural(days, 'day')} ago`;
    return {
      looked_at: `The last completed access review, at most ${strictestMax(limits)} days old, and whether what it revoked is gone.`,
      resources: [
        toFinding(
          { type: 'access_review', id: last?.id ?? team_id, name: 'Access review', evidence: last ?? null, fix },
          {
            problems: [
              ...(days === undefined ? [`No access review was completed yet.${waits}`] : []),
              ...(days === undefined ? [] : above(limits, days, ({ limit, by }) => `${ago}; ${by} allows ${limit} days.${waits}`)),
            ],
            fine: last ? `${ago}: ${last.kept} kept, ${last.revoked} revoked, ${last.gone} gone by themselves.` : '',
          },
        ),
        ...back.map(({ kind, id, name }) =>
          toFinding(
            { type: kind, id, name, evidence: { review: last?.id ?? null }, fix },
            { problems: ['The last access review revoked this, and it is there all the same.'], fine: '' },
          ),
        ),
      ],
    };
  },
});
