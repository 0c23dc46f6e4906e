import type { ControlId, ControlResource, FrameworkId } from '@paddock/contract';
import type { Claim } from '../compliance/queries.ts';

/** What is found in the demo, and for which framework alone: the others ask for less. */
export const findings: { control: ControlId; framework: FrameworkId; resource: Omit<ControlResource, 'waiver_id'> }[] = [
  {
    control: 'IAM-05',
    framework: 'pci-dss',
    resource: {
      type: 'team',
      id: 'team_demo',
      name: 'Demo team',
      status: 'failed',
      finding: 'Sessions of the team end after 12 hours without use. PCI DSS 8.2.8 asks for 15 minutes.',
      evidence: { idle_minutes: 720, most_minutes: 15, open_sessions: 3 },
      fix: { text: 'End sessions that nobody uses, and shorten the time of the others.', path: '/settings' },
    },
  },
  {
    control: 'KEY-02',
    framework: 'pci-dss',
    resource: {
      type: 'api_key',
      id: 'key_nightly',
      name: 'Nightly evaluation',
      status: 'failed',
      finding: 'The API key "Nightly evaluation" is 212 days old and never expires.',
      evidence: { age_days: 212, most_days: 90, expires_at: null, last_used: 'yesterday', scopes: ['agents:read', 'logs:read'] },
      fix: { text: 'Rotate the key and give it an end.', path: '/api-keys' },
    },
  },
  {
    control: 'AUD-03',
    framework: 'hipaa',
    resource: {
      type: 'installation',
      id: 'installation',
      name: 'Audit trail',
      status: 'failed',
      finding: 'Payloads of the audit trail are kept for 90 days. HIPAA 164.316(b)(2)(i) asks for six years.',
      evidence: { kept_days: 90, least_days: 2_190, copies_outside: 1 },
      fix: { text: 'Keep the payloads longer, or export the trail to an archive.', path: '/governance?open=export' },
    },
  },
  {
    control: 'DSR-01',
    framework: 'ccpa',
    resource: {
      type: 'team',
      id: 'team_demo',
      name: 'Demo team',
      status: 'unverified',
      finding: 'There was no request of a consumer so far, so nothing shows how long one takes.',
      evidence: { requests: 0, most_days: 45 },
      fix: null,
    },
  },
];

/** The sample values of the three cards. */
const cards: Record<Claim['card'], [label: string, value: string, control?: ControlId][]> = {
  data_privacy: [
    ['PII Detection', 'Active', 'PII-01'],
    ['Data Encryption', 'Enabled', 'ENC-01'],
    ['Retention Policy', '90 days', 'RET-01'],
  ],
  access_control: [
    ['MFA Required', 'Yes', 'IAM-02'],
    ['Role-Based Access', 'Enabled', 'IAM-01'],
    ['Audit Logging', 'Full', 'AUD-01'],
  ],
  security: [
    ['SOC 2 Type II', 'Compliant'],
    ['ISO 27001', 'Certified'],
    ['Penetration Tests', 'Quarterly'],
  ],
};

export const claims: Claim[] = Object.entries(cards).flatMap(([card, lines]) =>
  lines.map(([label, value, control = null]) => ({ card: card as Claim['card'], label, value, control, status: 'passed' as const })),
);
