import { type Claim, type ComplianceStatus, type ControlId, type ControlStatus, controls } from '@paddock/contract';
import { isVerified, type Standing } from './framework-status.ts';

export const notVerified = 'Not verified';

interface Line {
  card: Claim['card'];
  label: string;
  control: ControlId;
  /** The texts when the control passed, and when it failed. */
  passed: string;
  failed: string;
}

interface ClaimsInput {
  standings: ReadonlyMap<ControlId, Standing>;
  frameworks: { soc2: ComplianceStatus; iso27001: ComplianceStatus };
  retention_days: number;
}

/** The lines of the cards Data Privacy, Access Control and Security. No line claims more than was checked. */
export function complianceClaims({ standings, frameworks, retention_days }: ClaimsInput): Claim[] {
  const lines: Line[] = [
    { card: 'data_privacy', label: 'PII Detection', control: 'PII-03', passed: 'Active', failed: 'Misses what it should find' },
    { card: 'data_privacy', label: 'Log Redaction', control: 'PII-04', passed: 'On', failed: 'Not on everywhere' },
    { card: 'data_privacy', label: 'Data Encryption', control: 'ENC-01', passed: 'Enabled', failed: 'Not enabled everywhere' },
    {
      card: 'data_privacy',
      label: 'Retention Policy',
      control: 'RET-01',
      passed: `${retention_days} days`,
      failed: `${retention_days} days, not kept`,
    },
    { card: 'access_control', label: 'MFA Required', control: 'IAM-02', passed: 'Yes', failed: 'No' },
    { card: 'access_control', label: 'Role-Based Access', control: 'IAM-01', passed: 'Enabled', failed: 'Wider than needed' },
    { card: 'access_control', label: 'Audit Logging', control: 'AUD-01', passed: 'Full', failed: 'Incomplete' },
  ];
  return [
    ...lines.map((line) => buildClaim(line, standings.get(line.control))),
    readiness('SOC 2 Type II', frameworks.soc2),
    readiness('ISO 27001', frameworks.iso27001),
    { card: 'security', label: 'Penetration Tests', value: notVerified, control: null, status: 'unverified' },
  ];
}

function buildClaim({ card, label, control, passed, failed }: Line, standing: Standing | undefined): Claim {
  if (standing?.status === 'not_applicable' && !standing.is_stale)
    return { card, label, value: 'Not applicable', control, status: 'not_applicable' };
  if (!standing || (standing.status !== 'failed' && !isVerified(standing)))
    return { card, label, value: notVerified, control, status: 'unverified' };
  return { card, label, value: standing.status === 'passed' ? passed : failed, control, status: standing.status };
}

/** Readiness is what a program can show. Certification needs an auditor, so nothing here says 'Certified'. */
const ready: Record<ComplianceStatus, { value: string; status: ControlStatus }> = {
  compliant: { value: 'Ready for an audit', status: 'passed' },
  non_compliant: { value: 'Not ready', status: 'failed' },
  in_review: { value: notVerified, status: 'unverified' },
};

const readiness = (label: string, status: ComplianceStatus): Claim => ({ card: 'security', label, control: null, ...ready[status] });

/** A control's finding about a resource, as a sentence that names both. */
export const formatViolation = (
  control: ControlId,
  { name, id, finding }: { name: string | null; id: string; finding: string },
): string => {
  const called = name ?? id;
  return finding.includes(called) ? `${controls[control].title}: ${finding}` : `${controls[control].title}, ${called}: ${finding}`;
};
