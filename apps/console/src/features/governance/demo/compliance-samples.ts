import type { ControlId, ControlResource, FrameworkId } from '@paddock/contract';
import type { Claim } from '../compliance/queries.ts';

/** A sample finding, with the text and the clause for each framework that it violates; the other frameworks require less. */
interface SampleFinding {
  control: ControlId;
  resource: Omit<ControlResource, 'waiver_id' | 'finding' | 'clauses' | 'status'>;
  breaks: Partial<Record<FrameworkId, { clause: string; finding: string }>>;
}

const retention = (asked: string) => `Payloads of the audit trail are removed after 90 days; ${asked}.`;

export const findings: SampleFinding[] = [
  {
    control: 'IAM-05',
    resource: {
      type: 'team',
      id: 'team_demo',
      name: 'Demo team',
      evidence: { idle_minutes: 720, open_sessions: 3 },
      fix: { text: "Activate a policy with the rule 'End idle sessions after 15 minutes'.", path: '/governance?tab=policies' },
    },
    breaks: {
      'pci-dss': { clause: '8.2.8', finding: 'Sessions of the team end after 720 minutes without use; PCI DSS 8.2.8 allows 15.' },
    },
  },
  {
    control: 'KEY-02',
    resource: {
      type: 'api_key',
      id: 'key_nightly',
      name: 'Nightly evaluation',
      evidence: { age_days: 212, expires_at: null, last_used: 'yesterday', scopes: ['agents:read', 'logs:read'] },
      fix: { text: 'Rotate the key and give it an end.', path: '/api-keys' },
    },
    breaks: {
      'pci-dss': {
        clause: '8.6.3',
        finding: 'The API key "Nightly evaluation" is 212 days old and never expires; Paddock by its own default allows 90 days.',
      },
    },
  },
  {
    control: 'AUD-03',
    resource: {
      type: 'installation',
      id: 'installation',
      name: 'Audit trail',
      evidence: { kept_days: 90, copies_outside: 1 },
      fix: { text: 'Keep the payloads longer, or export the trail to an archive.', path: '/governance?open=export' },
    },
    breaks: {
      'pci-dss': { clause: '10.5.1', finding: retention('PCI DSS 10.5.1 asks for 365') },
      hipaa: { clause: '316(b)(2)(i)', finding: retention('HIPAA § 164.316(b)(2)(i) asks for 2,190') },
    },
  },
];

/** Controls of the demo without any resource to check. */
export const absences: Partial<Record<ControlId, string>> = { 'DSR-01': 'Nobody has asked about their data within the last year.' };

/** The sample values of the three cards. */
const cards: Record<Claim['card'], [label: string, value: string, control?: ControlId][]> = {
  data_privacy: [
    ['PII Detection', 'Active', 'PII-03'],
    ['Log Redaction', 'On', 'PII-04'],
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
