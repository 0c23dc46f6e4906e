/** The reason why a response with lists does not keep other teams waiting, although its call takes no `limit`. */
export type Growth =
  /** The length of the lists is that of a table of the product, or of the call's own input. */
  | 'fixed'
  /** `file` contains the bound, in this text. */
  | { file: string; bound: string }
  /** Read in pages of this size on the event loop. The number of such calls that a team has in progress is not bounded. */
  | { file: string; page: string };

const contract = 'packages/contract/src';
const features = 'apps/server/src/features';
const inLimits = (bound: string) => ({ file: `${contract}/limits.ts`, bound });
const policies = { file: `${contract}/policies.ts`, bound: 'perTeam: 100, rules: 50' };
const subjects = { file: `${contract}/data-subjects.ts`, bound: '.max(subjectLimits.examples)' };
const variables = inLimits('variableLimits = { count: 500');
const channels = inLimits('channelLimits = { perTeam: 10');

/** Calls without `limit` whose response is a file or a stream, or has lists without a maximum in the contract. */
export const growingAnswers: Record<string, Growth> = {
  'GET /oauth/providers': 'fixed',
  'GET /auth/identities': { file: 'apps/server/src/db/migrations/0011-oauth.sql', bound: 'unique (user_id, provider)' },
  'GET /auth/sessions': { file: `${features}/accounts/profile/own-session-store.ts`, bound: 'limit ${maxSessions}' },
  'POST /auth/two-factor/confirm': 'fixed',
  'POST /auth/two-factor/recovery-codes': 'fixed',
  'GET /deployments/:id': 'fixed',
  'GET /deployments/:id/sbom': { file: 'packages/builder/src/installed/package.ts', bound: 'maxPackages = 10_000' },
  'POST /deployments/:id/try': inLimits('answerBytes: 10 * 1024 ** 2'),
  'GET /deployments/:id/logs/download': { file: `${features}/logs/download.ts`, bound: 'bounds = { perTeam: 4, atOnce: 40' },
  'GET /projects/:project_id/variables': variables,
  'POST /projects/:project_id/variables': variables,
  'GET /databases/:id/metrics': { file: `${features}/databases/usage/metrics.ts`, bound: 'metricsPoints[time_range]' },
  'GET /databases/:id/export': { file: `${features}/databases/backups/backup-routes.ts`, bound: 'exporting >= exportsAtOnce' },
  'GET /metrics/agents/:id': { file: `${features}/metrics/span.ts`, bound: 'metricsPoints[range]' },
  'GET /deployments/:id/traces/:trace_id': { file: `${features}/traces/store.ts`, bound: 'limit ${traceLimits.spansPerTrace}' },
  'GET /metrics/model-prices': { file: `${contract}/traces.ts`, bound: 'z.array(ModelPrice).max(500)' },
  'PUT /metrics/model-prices': { file: `${contract}/traces.ts`, bound: 'z.array(ModelPrice).max(500)' },
  'GET /projects/:id/alert-rules': 'fixed',
  'GET /channels': channels,
  'GET /channels/:id': channels,
  'POST /channels': channels,
  'PUT /channels/:id': channels,
  'POST /channels/:id/secret': channels,
  'POST /api-keys': 'fixed',
  'GET /api-keys/validate': 'fixed',
  'GET /api-keys/:id': 'fixed',
  'POST /api-keys/:id/rotate': 'fixed',
  'GET /governance/summary': { file: `${features}/governance/trail/audit-log-store.ts`, bound: 'limit 1000' },
  'GET /governance/audit-logs/:id': 'fixed',
  'POST /governance/audit-logs/export': { file: `${features}/governance/trail/export/start.ts`, bound: 'places.enter(wanted.team_id)' },
  'POST /governance/pii-detection/scan': inLimits('scanCharacters: 100_000'),
  'GET /governance/data-lineage/:trace_id': { file: `${features}/governance/trail/routes.ts`, bound: 'maxOfTrace = 500' },
  'GET /governance/compliance/:framework': {
    file: `${features}/governance/compliance/control-runner.ts`,
    bound: 'evidenceOfAll: 256 * 1024',
  },
  'POST /governance/compliance/:framework/evidence': {
    file: `${features}/governance/compliance/evidence/package.ts`,
    bound: 'places = { perTeam: 1, atOnce: 4',
  },
  'GET /governance/controls/:control': { file: `${features}/governance/compliance/waiver-store.ts`, bound: 'ofControl: 500' },
  'GET /governance/policies': policies,
  'GET /governance/policies/:id': policies,
  'POST /governance/policies': policies,
  'PUT /governance/policies/:id': policies,
  'POST /governance/policies/dry-run': { file: `${features}/governance/policies/dry-run/trail-store.ts`, bound: 'limit ${maxScanned}' },
  'GET /governance/data-subject-requests': { file: `${features}/governance/data-subjects/store.ts`, bound: 'limit ${subjectLimits.kept}' },
  'GET /governance/data-subject-requests/:id': subjects,
  'POST /governance/data-subject-requests': subjects,
  'POST /governance/data-subject-requests/:id/erase': subjects,
  'GET /governance/model-providers': { file: `${contract}/model-providers.ts`, bound: 'modelProviderLimit = 100' },
  'PUT /governance/model-providers': { file: `${contract}/model-providers.ts`, bound: 'modelProviderLimit = 100' },
  'GET /governance/access-reviews': inLimits('accessReviewLimits = { validDays: 180, kept: 100'),
  'POST /governance/access-reviews/:id/decisions': inLimits('decisions: 100'),
  'GET /billing/usage': { file: `${features}/billing/usage/store.ts`, bound: 'limit ${usageLimits.projects}' },
  'GET /billing/budgets': inLimits('budgets: 100'),
  'PUT /billing/budgets': inLimits('budgets: 100'),
  'GET /billing/quote': 'fixed',
  'GET /billing/invoices/export': { file: `${features}/billing/invoices/store.ts`, page: 'limit: batch' },
  'GET /billing/invoices/:id': 'fixed',
  'GET /billing/invoices/:id/pdf': 'fixed',
};
