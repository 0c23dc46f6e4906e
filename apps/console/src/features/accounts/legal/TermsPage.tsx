import { PageLink } from '../../../navigation/links.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { Section } from './Article.tsx';

/** Terms of an installation that somebody runs for themselves or for others: the makers of the software are not a party. */
export function TermsPage() {
  return (
    <AccountFrame title="Terms of Service" article below={<PageLink to="/login">Back to sign-in</PageLink>}>
      <Section title="Who provides this service">
        <p>
          This is an installation of Paddock, which its operator runs on their own machines. The service is provided by the operator: the
          company or person who gave you its address. The authors of the software do not operate it and cannot see its data.
        </p>
      </Section>
      <Section title="Your account">
        <p>
          Use an e-mail address that belongs to you, and keep your password and API keys private. You are responsible for what is done with
          them.
        </p>
        <p>You can end your sessions and delete your account at any time.</p>
      </Section>
      <Section title="Your agents">
        <p>
          You keep all rights to the code and data that you upload. Paddock stores, builds and runs them at your request, and does nothing
          else with them.
        </p>
        <p>
          You are responsible for what your agents do. Do not run agents that break the law, attack others or try to leave their sandbox,
          and do not put load on this machine that the operator did not agree to.
        </p>
      </Section>
      <Section title="What the operator may do">
        <p>
          The operator may set limits, stop agents, and close accounts that break these terms, and can see what any administrator of a
          machine can see.
        </p>
      </Section>
      <Section title="No warranty">
        <p>
          Paddock is provided under the Apache License 2.0, as is and without warranty. What the operator promises beyond that, such as
          availability or backups, is agreed between you and the operator.
        </p>
      </Section>
    </AccountFrame>
  );
}
