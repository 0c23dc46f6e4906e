/** Tables that every room may read. */
export const CORE_TABLES: readonly string[] = ['deployments', 'projects', 'team_members', 'teams', 'users'];

/**
 * The rooms that read a table of another room. Who changes a table looks here for its readers. A new reader asks the owner for a function
 * first, and is entered only if there is none: entries should become fewer. Views are no way out: the erasure of personal data replaces whole
 * tables (`data-subjects/replace-table.ts`), and a view would go on showing the old one. Controls of compliance check the running installation, so
 * they read what they judge.
 */
export const FOREIGN_READS: Readonly<Record<string, readonly string[]>> = {
  alert_rules: ['features/governance/compliance'],
  alerts: ['audit', 'features/governance/compliance'],
  api_keys: [
    'audit',
    'features/deployments',
    'features/governance/access-reviews',
    'features/governance/compliance',
    'features/governance/policies',
    'features/logs',
  ],
  audit_checkpoints: ['features/governance/compliance'],
  audit_heads: ['features/governance/compliance'],
  audit_intake: ['features/governance/compliance'],
  audit_payloads: ['features/governance/compliance', 'features/governance/policies'],
  audit_records: ['features/deployments', 'features/governance/compliance', 'features/governance/policies'],
  audit_signing_key: ['features/governance/compliance'],
  audit_unreadable: ['features/governance/compliance'],
  audit_verifications: ['features/governance/compliance'],
  billing_accounts: ['features/accounts', 'features/billing/invoices', 'features/databases'],
  billing_buyers: ['features/billing/subscriptions'],
  billing_documents: ['features/billing/invoices'],
  billing_entries: ['features/billing/invoices'],
  channel_deliveries: ['features/governance/compliance'],
  channels: ['audit', 'features/governance/compliance'],
  data_protection: ['features/governance/compliance', 'gateway process', 'protection'],
  data_subject_requests: ['features/governance/compliance'],
  database_backups: ['audit', 'features/governance/compliance'],
  database_tasks: ['features/governance/compliance'],
  databases: ['audit', 'features/deployments', 'features/governance/compliance', 'nodes', 'protection'],
  deployment_packages: ['features/governance/compliance'],
  host_holds: ['features/governance/compliance'],
  identities: ['features/governance/access-reviews'],
  key_check: ['features/governance/compliance'],
  known_devices: ['features/governance/access-reviews', 'features/governance/compliance'],
  log_heads: ['features/governance/compliance'],
  log_lines: ['features/governance/compliance', 'features/governance/policies'],
  mails: ['features/governance/compliance'],
  moves: ['features/billing/usage', 'features/metrics', 'features/system'],
  nodes: ['features/databases', 'features/deployments'],
  oauth_states: ['features/governance/compliance'],
  periodic_jobs: ['features/governance/compliance'],
  pii_hours: ['features/governance/trail'],
  policies: ['audit'],
  restore_tests: ['features/governance/compliance'],
  rolled_up: ['features/billing/usage', 'features/system', 'gateway'],
  routes: ['features/governance/compliance', 'gateway process'],
  second_factors: ['features/governance/access-reviews', 'features/governance/compliance', 'features/governance/policies'],
  sessions: ['features/governance/access-reviews', 'features/governance/compliance', 'features/logs'],
  spans: ['features/governance/compliance', 'features/governance/model-providers'],
  traces: ['features/governance/compliance', 'features/governance/policies'],
  traffic_minutes: ['features/billing/usage', 'features/governance/compliance', 'features/metrics', 'features/system'],
  usage_minutes: ['features/governance/compliance', 'features/system'],
  variables: ['features/governance/compliance', 'protection'],
};
