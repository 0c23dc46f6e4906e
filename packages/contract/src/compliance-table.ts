/** The frameworks in display order. */
export const frameworks = {
  gdpr: { name: 'GDPR', cited: 'GDPR', prefix: 'Art. ' },
  soc2: { name: 'SOC 2 Type II', cited: 'SOC 2', prefix: '' },
  hipaa: { name: 'HIPAA', cited: 'HIPAA', prefix: '§ 164.' },
  iso27001: { name: 'ISO 27001', cited: 'ISO 27001', prefix: 'A.' },
  ccpa: { name: 'CCPA', cited: 'CCPA', prefix: '§ 1798.' },
  'pci-dss': { name: 'PCI DSS', cited: 'PCI DSS', prefix: '' },
} as const;
export type FrameworkId = keyof typeof frameworks;
export const frameworkIds = Object.keys(frameworks) as [FrameworkId, ...FrameworkId[]];

/** A clause in its framework's notation: Art. 5(1)(c), § 164.312(b), A.8.24. */
export const formatClause = (framework: FrameworkId, clause: string): string => `${frameworks[framework].prefix}${clause}`;

/** A clause with the name of its framework: GDPR Art. 5(1)(c). */
export const citeClause = (framework: FrameworkId, clause: string): string =>
  `${frameworks[framework].cited} ${formatClause(framework, clause)}`;

export interface ControlFacts {
  title: string;
  /** The subject of the control: each team, or the installation, whose result is the same for all teams. */
  scope: 'team' | 'installation';
  /** Interval of the checks. A run older than twice this is stale. */
  every_seconds: number;
  /** The clauses that the control covers, without the prefix of the framework. */
  clauses: Partial<Record<FrameworkId, readonly string[]>>;
}

/** The clauses of each framework in its order, separated by commas; '' if a framework has none. */
const clauses = (texts: readonly [string, string, string, string, string, string]): ControlFacts['clauses'] =>
  Object.fromEntries(frameworkIds.map((id, at) => [id, texts[at]!.split(', ')] as const).filter(([, own]) => own[0] !== ''));

/**
 * The controls, with their interval and the clauses that they cover. Clauses: GDPR (EU) 2016/679; AICPA trust services criteria 2017
 * (points of focus 2022); 45 CFR 164; ISO/IEC 27001:2022 Annex A; California Civil Code 1798; PCI DSS 4.0.1.
 */
export const controls = {
  'ENC-01': {
    title: 'Encryption at rest on',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(a)', 'CC6.1, C1.1', '312(a)(2)(iv)', '8.24', '100(e)', '3.5.1']),
  },
  'ENC-02': {
    title: 'Secrets and BYO DB credentials envelope-encrypted',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(a)', 'CC6.1', '312(a)(2)(iv)', '8.24, 5.17', '100(e)', '3.6.1, 8.3.2']),
  },
  'KEY-01': {
    title: 'Master/data key within cryptoperiod',
    scope: 'installation',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(a)', 'CC6.1', '312(a)(2)(iv)', '8.24', '100(e)', '3.7.4']),
  },
  'KEY-02': {
    title: 'API-key age and idleness',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(b)', 'CC6.1', '308(a)(5)(ii)(D)', '5.17', '100(e)', '8.6.3, 8.2.6']),
  },
  'KEY-03': {
    title: 'API keys stored only as hashes',
    scope: 'team',
    every_seconds: 604_800,
    clauses: clauses(['32(1)(a)', 'CC6.1', '312(d)', '5.17', '100(e)', '8.3.2']),
  },
  'IAM-01': {
    title: 'Least-privilege key scopes',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['25(2), 32(1)(b)', 'CC6.3', '308(a)(4)(ii)(B), 312(a)(1)', '5.15, 8.2', '100(e)', '7.2.2, 7.2.5']),
  },
  'IAM-02': {
    title: 'MFA enrolled',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(b)', 'CC6.1', '312(d)', '8.5', '100(e)', '8.4.1, 8.4.2']),
  },
  'IAM-03': {
    title: 'Password policy or SSO-only',
    scope: 'installation',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(b)', 'CC6.1', '308(a)(5)(ii)(D)', '5.17', '100(e)', '8.3.6']),
  },
  'IAM-04': {
    title: 'Login lockout',
    scope: 'installation',
    every_seconds: 604_800,
    clauses: clauses(['32(1)(b)', 'CC6.1', '308(a)(5)(ii)(C)', '8.5', '100(e)', '8.3.4']),
  },
  'IAM-05': {
    title: 'Idle session timeout',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(b)', 'CC6.1', '312(a)(2)(iii)', '8.5', '100(e)', '8.2.8']),
  },
  'IAM-06': {
    title: 'Access review current',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(d)', 'CC6.2, CC6.3', '308(a)(4)(ii)(C)', '5.18', '100(e)', '7.2.4, 7.2.5.1']),
  },
  'IAM-07': {
    title: 'Inactive and departed users disabled',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(b)', 'CC6.2, CC6.3', '308(a)(3)(ii)(C)', '5.16, 5.18', '100(e)', '8.2.5, 8.2.6']),
  },
  'IAM-08': {
    title: 'Unique identity for every actor',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(4)', 'CC6.1', '312(a)(2)(i)', '5.16', '100(e)', '8.2.1, 8.2.2']),
  },
  'MON-01': {
    title: 'Failed-login / anomaly alert live',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(d)', 'CC7.2', '308(a)(5)(ii)(C)', '8.16', '100(e)', '10.4.1.1, 10.7.2']),
  },
  'MON-02': {
    title: 'Clock synchronised',
    scope: 'installation',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(b)', 'CC7.2', '312(b)', '8.17', '100(e)', '10.6.1']),
  },
  'MON-03': {
    title: 'Availability and capacity monitors on',
    scope: 'team',
    every_seconds: 300,
    clauses: clauses(['32(1)(b)', 'A1.1, CC7.2', '308(a)(6)(ii)', '8.6, 8.16', '100(e)', '10.7.2']),
  },
  'AUD-01': {
    title: 'Audit coverage',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['5(2), 32(1)(d)', 'CC7.2', '312(b)', '8.15', '100(e)', '10.2.1, 10.2.2']),
  },
  'AUD-02': {
    title: 'Audit chain intact',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['5(1)(f), 32(1)(b)', 'CC7.2, PI1.5', '312(c)(1), 312(c)(2)', '8.15, 5.28, 5.33', '100(e)', '10.3.2, 10.3.4']),
  },
  'AUD-03': {
    title: 'Audit retention and off-box copy',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['5(1)(e)', 'CC7.3', '316(b)(2)(i)', '5.33', '100(e)', '10.5.1, 10.3.3']),
  },
  'RET-01': {
    title: 'Retention job ran <= 24 h',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['5(1)(e)', 'C1.2, P4.2, P4.3', '310(d)(2)(i)', '8.10', '100(a)(3)', '3.2.1']),
  },
  'DSR-01': {
    title: 'Data-subject requests on time',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['12(3), 15, 17', 'P5.1, P4.3', '', '5.34', '105, 110, 130(a)(2)', '']),
  },
  'BCK-01': {
    title: 'Backups ran <= 24 h',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(c)', 'A1.2', '308(a)(7)(ii)(A)', '8.13', '100(e)', '']),
  },
  'BCK-02': {
    title: 'Restore tested',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(c), 32(1)(d)', 'A1.3', '308(a)(7)(ii)(D)', '8.13, 5.30', '100(e)', '']),
  },
  'PII-01': {
    title: 'PII redaction on',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['5(1)(c), 25(1), 25(2)', 'C1.1, P4.1', '308(a)(1)(ii)(B)', '8.11, 8.12', '100(c)', '3.4.1']),
  },
  'PII-02': {
    title: 'No raw PAN/CVV/SSN at rest',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(a)', 'CC6.7', '312(e)(2)(i)', '8.12', '121', '3.3.1.2, 3.5.1']),
  },
  'PII-03': {
    title: 'Detector regression',
    scope: 'installation',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(d)', 'PI1.4', '308(a)(8)', '8.11', '100(e)', '']),
  },
  'PII-04': {
    title: 'Log redaction on',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['5(1)(c), 25(2)', 'C1.1', '308(a)(1)(ii)(B)', '8.11, 8.15', '100(c)', '3.5.1']),
  },
  'NET-01': {
    title: 'TLS everywhere',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(a)', 'CC6.7', '312(e)(1), 312(e)(2)(ii)', '8.24, 8.20', '100(e)', '4.2.1, 4.2.1.1']),
  },
  'NET-02': {
    title: 'Tenant isolation',
    scope: 'installation',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(b)', 'CC6.1, CC6.6', '312(a)(1)', '8.20, 8.22', '100(e)', '1.3.1, 1.4.4']),
  },
  'NET-03': {
    title: 'Egress control',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(b)', 'CC6.6', '312(a)(1)', '8.20', '100(e)', '1.3.2']),
  },
  'VUL-01': {
    title: 'Dependencies and images scanned',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(d)', 'CC7.1', '308(a)(5)(ii)(B)', '8.8', '100(e)', '6.3.1, 6.3.2, 6.3.3']),
  },
  'CHG-01': {
    title: 'Deploy provenance',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['32(1)(b)', 'CC8.1', '308(a)(8)', '8.32, 8.9', '100(e)', '6.5.1']),
  },
  'CHG-02': {
    title: 'Environment separation',
    scope: 'team',
    every_seconds: 86_400,
    clauses: clauses(['32(1)(b)', 'CC8.1', '312(a)(1)', '8.31', '100(e)', '6.5.3, 6.5.5']),
  },
  'TPM-01': {
    title: 'Model providers and sub-processors listed',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['28(3), 44', 'CC9.2, P6.4', '308(b)(1)', '5.19, 5.23', '100(d)', '12.8.1, 12.8.2']),
  },
  'LIN-01': {
    title: 'Lineage complete',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['5(2), 30(1)', 'CC2.1', '308(a)(1)(ii)(D)', '5.9, 5.12', '110', '1.2.4, 12.5.1']),
  },
  'INC-01': {
    title: 'Incident clock',
    scope: 'team',
    every_seconds: 3_600,
    clauses: clauses(['33(1), 33(5)', 'CC7.3, CC7.4', '308(a)(6)(ii)', '5.24, 5.26', '100(e)', '12.10.1, 12.10.5']),
  },
} as const satisfies Record<string, ControlFacts>;
export type ControlId = keyof typeof controls;
export const controlIds = Object.keys(controls) as [ControlId, ...ControlId[]];

/** `not_applicable`: there was nothing to check, so it counts neither as passed nor as failed. */
export const controlStatuses = ['passed', 'failed', 'unverified', 'not_applicable'] as const;
export type ControlStatus = (typeof controlStatuses)[number];
/** The status of a framework (spec, section 4). `in_review`: nothing failed, but a control is stale, not verified or not yet checked. */
export const complianceStatuses = ['compliant', 'in_review', 'non_compliant'] as const;
export type ComplianceStatus = (typeof complianceStatuses)[number];
