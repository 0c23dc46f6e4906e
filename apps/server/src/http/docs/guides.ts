import type { Guide } from './frame.ts';

/** The pages below `/docs`, in the groups of their navigation (and of `docs/README.md`). */
export const groups = {
  Start: [
    { path: '/docs/guides', title: 'Guides', file: 'docs/README.md' },
    { path: '/docs/first-deployment', title: 'First deployment', file: 'docs/first-deployment.md' },
    { path: '/docs/concepts', title: 'Concepts', file: 'docs/concepts.md' },
  ],
  Deploy: [
    { path: '/docs/manifest', title: 'Archives', file: 'docs/manifest.md' },
    { path: '/docs/protocols', title: 'What agents speak', file: 'docs/protocols.md' },
    { path: '/docs/databases', title: 'Databases', file: 'docs/databases.md' },
    { path: '/docs/cli', title: 'Command line', file: 'docs/cli.md' },
    { path: '/docs/github-actions', title: 'GitHub Actions', file: 'docs/github-actions.md' },
    { path: '/docs/webhooks', title: 'Webhooks and Slack', file: 'docs/webhooks.md' },
  ],
  Operate: [
    { path: '/docs/configuration', title: 'Configuration', file: 'docs/configuration.md' },
    { path: '/docs/operations', title: 'Operations', file: 'docs/operations.md' },
    { path: '/docs/usage', title: 'Usage and costs', file: 'docs/usage.md' },
    { path: '/docs/billing', title: 'Billing', file: 'docs/billing.md' },
    { path: '/docs/traces', title: 'Traces and tokens', file: 'docs/traces.md' },
    { path: '/docs/governance', title: 'Audit trail and personal data', file: 'docs/governance.md' },
    { path: '/docs/audit-format', title: 'The format of the audit trail', file: 'docs/audit-format.md' },
    { path: '/docs/alerts', title: 'Alerts', file: 'docs/alerts.md' },
    { path: '/docs/observability', title: 'Observability', file: 'docs/observability.md' },
    { path: '/docs/sign-in', title: 'Sign-in', file: 'docs/sign-in.md' },
    { path: '/docs/security', title: 'Security', file: 'SECURITY.md' },
    { path: '/docs/troubleshooting', title: 'Troubleshooting', file: 'docs/troubleshooting.md' },
  ],
  Reference: [
    { path: '/docs', title: 'API reference' },
    { path: '/docs/api', title: 'API guide', file: 'docs/api.md' },
    { path: '/docs/api-keys', title: 'API keys', file: 'docs/api-keys.md' },
    { path: '/docs/api-streams', title: 'Streams and downloads', file: 'docs/api-streams.md' },
    { path: '/docs/scopes', title: 'Scopes', file: 'docs/scopes.md' },
    { path: '/docs/errors', title: 'Errors' },
    { path: '/docs/architecture', title: 'Architecture', file: 'ARCHITECTURE.md' },
    { path: '/docs/glossary', title: 'Glossary', file: 'docs/glossary.md' },
    { path: '/docs/decisions', title: 'Decisions', file: 'docs/decisions.md' },
    { path: '/docs/changes', title: 'Changes', file: 'CHANGELOG.md' },
  ],
} satisfies Record<string, Guide[]>;
