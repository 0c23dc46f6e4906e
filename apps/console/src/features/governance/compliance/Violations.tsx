import type { ComplianceDetail } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Fix } from './Fix.tsx';
import { LinkButton } from './LinkButton.tsx';
import { messages } from './words.ts';

interface Props {
  of: ComplianceDetail;
  onControl: (id: string) => void;
}

/** Violations and their remedies. 'All passed' is shown only if everything was verified. */
export function Violations({ of: { violations, violations_total, details, checks_unverified, checks_failed }, onControl }: Props) {
  return (
    <section aria-labelledby="active-violations">
      <h3 id="active-violations" className="mb-1.5 text-sm font-semibold">
        Active Violations
      </h3>
      {violations.length === 0 ? (
        <Banner tone={checks_unverified + checks_failed > 0 ? 'info' : 'success'}>
          {checks_unverified + checks_failed > 0 ? `No violations found. ${unverifiedText(checks_unverified)}` : messages.allPassed}
        </Banner>
      ) : (
        <ul className="list-none border border-border">
          {violations.map((violation, index) => {
            const found = details[index];
            return (
              <li key={index} className="border-t border-border px-3 py-2 first:border-t-0">
                <p className="font-semibold wrap-anywhere">{shownText(violation, 500)}</p>
                {found ? (
                  <>
                    <Fix fix={found.resource.fix} />
                    <p className="text-sm text-muted">
                      {found.resource.clauses.length > 0 ? `Violates ${found.resource.clauses.join(', ')}. ` : ''}Control{' '}
                      <LinkButton label={`Evidence: control ${found.control}`} onClick={() => onControl(found.control)}>
                        {found.control}
                      </LinkButton>
                    </p>
                  </>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
      {violations_total > violations.length ? (
        <p className="mt-1.5 text-sm text-muted">
          {(violations_total - violations.length).toLocaleString('en')} more are not shown. The counts above include them.
        </p>
      ) : null}
    </section>
  );
}

const unverifiedText = (count: number) =>
  count === 1
    ? '1 check could not be verified and does not count as passed.'
    : `${count} checks could not be verified and do not count as passed.`;
