import { PageLink } from '../../../navigation/links.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { Section } from './Article.tsx';
import { storedData } from './stored-data.ts';

/** Describes only the installation that serves it: an operator's backups and proxies are unknown to it. */
export function PrivacyPage() {
  return (
    <AccountFrame title="Privacy Policy" article below={<PageLink to="/login">Back to sign-in</PageLink>}>
      <Section title="Who is responsible">
        <p>
          The operator of this installation, who gave you its address, decides what happens to the data and answers questions about it.
          Nothing is sent to the authors of the software.
        </p>
      </Section>
      <Section title="What is stored, and for how long">
        <table className="w-full text-left text-base">
          <thead className="text-sm text-muted">
            <tr>
              <th className="py-1.5 pr-4 font-semibold">What</th>
              <th className="py-1.5 font-semibold">How long</th>
            </tr>
          </thead>
          {storedData.map(({ group, rows }) => (
            <tbody key={group}>
              <tr className="border-t border-border">
                <th colSpan={2} scope="rowgroup" className="pt-3 pb-1.5 font-semibold">
                  {group}
                </th>
              </tr>
              {rows.map(([what, howLong]) => (
                <tr key={what} className="border-t border-border align-top">
                  <td className="py-1.5 pr-4">{what}</td>
                  <td className="py-1.5 text-muted">{howLong}</td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
        <p>A policy of your team can shorten how long log lines, traces and the content of audit records are kept.</p>
        <p>
          The server's own log lists requests, without passwords, tokens or content. The operator decides how long it is kept, and whether
          there are backups.
        </p>
      </Section>
      <Section title="In your browser">
        <p>
          Your session token and your name, for the length of the session; your theme and display preferences. One cookie is kept for a year
          after you sign in: a random number that identifies this browser, so that strangers who try to guess your password cannot lock you
          out. There are no analytics, and nothing is loaded from other sites.
        </p>
      </Section>
      <Section title="Who else gets data">
        <p>
          E-mails to you go through the operator's mail server. A sign-in provider learns that you signed in. If payments go through Stripe,
          Stripe receives the billing name and e-mail address of your team, its card and the amounts. Notification channels send what you
          select to the addresses that you enter. Your agents reach what you program them to reach, and builds fetch packages from the
          registries that your code names.
        </p>
      </Section>
      <Section title="Your rights">
        <p>
          In the console you can read and change your profile and your team's settings, and delete your projects, databases and account. If
          you are the only member of your team, deleting your account deletes the team with its projects, too.
        </p>
        <p>
          Two things cannot be changed or deleted, even by the operator: invoices with their ledger, and the facts of the audit trail, which
          form a chain. The content of audit records, log lines and traces can be searched for a person and erased before its time, in the
          console under Governance, Data Governance. For everything else, ask the operator.
        </p>
      </Section>
    </AccountFrame>
  );
}
