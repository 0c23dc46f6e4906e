import { backupLimits, channelLimits, governanceLimits, traceLimits } from '@paddock/contract/limits';

interface StoredData {
  group: string;
  rows: readonly (readonly [what: string, howLong: string])[];
}

const untilTeamDeleted = 'until the team is deleted';

/** The personal data in the tables, and when background jobs delete it. Update this list whenever either changes. */
export const storedData: readonly StoredData[] = [
  {
    group: 'Your account',
    rows: [
      ['Name, e-mail address and a hash of the password', 'until the account is deleted'],
      ['Sessions, with network address, browser and time of last use', 'until they end: 12 hours, or 30 days with "Remember me"'],
      ['Devices and networks you signed in from', 'one year after the last sign-in from there'],
      [
        'Browsers in which you signed in: a hash of a random number',
        'one year after the last sign-in there, or until you set a new password',
      ],
      ['The secret of your authenticator app (encrypted) and hashes of its recovery codes', 'until two-factor sign-in is switched off'],
      ['Accounts at sign-in providers that you linked', 'until they are unlinked'],
      ['API keys: a hash, name, scopes, address and time of last use', 'until the account is deleted'],
      ['Counts of sign-in attempts, by address and account', '1 day'],
      ['Responses to requests with an Idempotency-Key', '1 day'],
    ],
  },
  {
    group: 'Projects and agents',
    rows: [
      ['Projects, uploaded code, and variables (encrypted)', 'until you delete the project'],
      ['Log lines of your agents', 'as long as the operator has set: 30 days unless changed'],
      ['Traces of your agents, with prompts and answers if the project keeps them', `${traceLimits.keptDays} days`],
      ['Tokens used, by model and hour', '90 days'],
      ['Counts of requests and use of CPU and memory', 'per minute 7 days, per hour 90 days, per day 2 years'],
      ['Managed databases: what your agents store in them; their passwords (encrypted)', 'until the database or its project is deleted'],
      [
        'Backups of managed databases',
        `daily ones ${backupLimits.dailyKeptDays} days, others until you delete them; at the latest until the database is deleted`,
      ],
      ['Size and use of managed databases, per minute', '30 days'],
      ['Connection addresses of your own databases (encrypted)', 'until you delete them or their project'],
    ],
  },
  {
    group: 'Audit trail and governance',
    rows: [
      [
        'Content of audit records: bodies of requests and responses (redacted), names, network addresses and browsers',
        `as long as the operator has set: ${governanceLimits.retentionDays} days unless changed`,
      ],
      [
        'Facts of audit records: who (an id), what, when, the outcome, and the name of the agent',
        'for good, also after the account is deleted',
      ],
      [
        'Data-subject requests: your reference and the result. The identifiers (encrypted) only until the request is done',
        untilTeamDeleted,
      ],
      ['Access reviews: who had access, and who decided what', untilTeamDeleted],
      ['Policies and waivers', untilTeamDeleted],
    ],
  },
  {
    group: 'Billing',
    rows: [
      ['Billing details: name, e-mail address, address and tax id', untilTeamDeleted],
      [
        'Payment method: its id at the payment provider, the brand, the last four digits and the expiry date',
        'until it is replaced or the team is deleted',
      ],
      ['Invoices, with the billing details of their day, and the ledger of payments', 'for good, also after the team is deleted'],
      ['Messages to the payment provider', '400 days'],
      ['The state of the subscription', '90 days after the team is deleted'],
      ['Notices about billing', '90 days'],
      ['Metered usage', untilTeamDeleted],
    ],
  },
  {
    group: 'Alerts, messages and e-mails',
    rows: [
      ['Alerts', '90 days after they were resolved'],
      ['Notification channels: address and secret (encrypted)', 'until you delete them'],
      ['Messages to notification channels', `${channelLimits.keptDays} days`],
      ['E-mails to you: the text (encrypted)', 'until it is sent, at most one day'],
      ['E-mails to you: address, kind and time', '7 days after sending, 30 days if sending failed'],
      ['Links e-mailed to you (hashed)', 'until they are used, at most 1 hour or 3 days'],
    ],
  },
];
