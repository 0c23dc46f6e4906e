import type { DryRun as Outcome } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { failureText } from '../../../api/failure.ts';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { useDryRun } from './queries.ts';
import { messages } from './words.ts';

/**
 * Shows what the rules would have refused, according to the audit trail. A result is shown only while the rules are those that were
 * checked.
 */
export function DryRun({ rules }: { rules: readonly string[] }) {
  const run = useDryRun();
  const isOfThese = run.variables?.join('\n') === rules.join('\n');
  return (
    <section aria-label="Dry run" className="flex flex-col gap-2">
      <div>
        <Button busy={run.isPending} disabled={rules.length === 0} onClick={() => run.mutate([...rules])}>
          Preview refusals
        </Button>
      </div>
      <FormError>{isOfThese ? failureText(run.error, messages.dryRun) : undefined}</FormError>
      <div role="status">{run.data && isOfThese ? <Found outcome={run.data} /> : null}</div>
    </section>
  );
}

const Found = ({ outcome: { days, refused, rules } }: { outcome: Outcome }) => (
  <>
    <p className="mb-1.5 font-semibold">
      {refused.toLocaleString('en')} would have been refused in the last {days === 1 ? 'day' : `${days} days`}. Nothing was enforced now.
    </p>
    <ul className="list-none border border-border">
      {rules.map(({ rule, is_enforced, refused: count, looked_at, examples }, index) => (
        <li key={index} className="border-t border-border px-3 py-2 first:border-t-0">
          <div className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 font-semibold wrap-anywhere">{shownText(rule, 300)}</span>
            <span className="font-bold">{is_enforced ? count.toLocaleString('en') : 'Advisory'}</span>
          </div>
          <p className="text-sm text-muted wrap-anywhere">{shownText(looked_at, 500)}</p>
          <ul className="list-disc pl-5 text-sm empty:hidden">
            {examples.map(({ at, what, audit_id }, place) => (
              <li key={place} className="wrap-anywhere">
                {shownText(what, 300)}, <Timestamp at={at} />{' '}
                {audit_id === null ? null : (
                  <PageLink to="/governance" search={{ log: audit_id }} aria-label={`View record of: ${shownText(what, 60)}`}>
                    View record
                  </PageLink>
                )}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </>
);
