import { PageLink } from '../../../navigation/links.tsx';
import { AccountFrame } from '../AccountFrame.tsx';
import { Section } from './Article.tsx';

/** The personal data in the tables and when background jobs delete it. Update this page whenever either changes. */
const stored: [what: string, howLong: string][] = [
  ['Name, e-mail address and a hash of the password', 'until the account is deleted'],
  ['Sessions, with network address, browser and time of last use', 'until they end: 12 hours, or 30 days with "Remember me"'],
  ['Devices and networks you signed in from', 'a year after the last sign-in from there'],
  ['Browsers in which you signed in: a hash of a random number', 'a year after the last sign-in there, or until you set a new password'],
  ['The secret of your authenticator app (encrypted) and hashes of its recovery codes', 'until two-factor sign-in is switched off'],
  ['Accounts at sign-in providers that you linked', 'until they are unlinked'],
  ['API keys: a hash, name, scopes, address and time of last use', 'until the account is deleted'],
  ['Projects, uploaded code, and variables (encrypted)', 'until you delete them'],
  ['Managed databases: what your agents keep in them; their passwords (encrypted)', 'until the database or its project is deleted'],
  ['Backups of managed databases', 'daily ones 7 days, others until you delete them; at the latest with the database'],
  ['Addresses of databases of your own (encrypted)', 'until you delete them, or their project'],
  ['Size and use of managed databases, per minute', '30 days'],
  ['Alerts', '90 days after they were resolved'],
  ['Log lines of your agents', 'as long as the operator has set; 30 days unless changed'],
  ['Counts of requests to your agents, per minute', '30 days'],
  ['E-mails to you: the text (encrypted)', 'until it is sent, at most a day'],
  ['E-mails to you: address, kind and time', '7 days after sending, 30 days if sending failed'],
  ['Links e-mailed to you (hashed)', 'until they are used, at most 1 hour or 3 days'],
  ['Counts of sign-in attempts, by address and account', '1 day'],
  ['Responses to requests with an Idempotency-Key', '1 day'],
];

/** Describes only the installation that serves it: an operator's backups and proxies are unknown to it. */
export function PrivacyPage() {
  return (
    <AccountFrame title="Privacy Policy" article below={<PageLink to="/login">Back to sign-in</PageLink>}>
      <Section title="Who is responsible">
        <p>
          The operator of this installation, who gave you this address, decides what happens with the data and answers questions about it.
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
          <tbody>
            {stored.map(([what, howLong]) => (
              <tr key={what} className="border-t border-border align-top">
                <td className="py-1.5 pr-4">{what}</td>
                <td className="py-1.5 text-muted">{howLong}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          The server's own log lists requests, without passwords, tokens or content. How long it is kept, and whether there are backups, is
          up to the operator.
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
          The mail server that the operator chose carries mails to you. A provider that you sign in with learns that you did. Your agents
          reach what you program them to reach, and builds fetch packages from the registries that your code names.
        </p>
      </Section>
      <Section title="Your rights">
        <p>You can read, change and delete what is stored about you in the console. For everything else, ask the operator.</p>
      </Section>
    </AccountFrame>
  );
}
