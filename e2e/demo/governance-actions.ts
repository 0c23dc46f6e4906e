import { type Action, inDialog } from './actions.ts';
import { json } from './scripted.ts';

const types = ['Email', 'Phone', 'SSN', 'Credit Card', 'Address', 'Name', 'IP Address', 'Date of Birth'];
const settings = {
  bodies: 'redacted',
  sample_percent: 10,
  when_unrecorded: 'refuse',
  on_overrun: 'refuse',
  rules: Object.fromEntries(types.map((type) => [type, { action: 'mask', traffic: 'none' }])),
  redact_logs: false,
  keep_span_content: false,
  is_default: true,
};
const verification = { valid: true, checked: 1, first_bad: null, up_to_seq: 1, head_seq: 1, checkpoint_seq: 0, next_seq: null };

const at = '2026-11-20T10:00:00.000Z';
const policy = {
  id: 'pol_1',
  name: 'Logs',
  description: '',
  type: 'data_retention',
  status: 'draft',
  rules: ['Delete logs after 30 days'],
  understood: [{ rule: 'Delete logs after 30 days', is_enforced: true, effect: 'Deletes logs.' }],
  created_at: at,
  updated_at: at,
  etag: '"one"',
};
const run = { id: 'cmr_1', framework: 'gdpr', status: 'completed', controls_total: 1, controls_done: 1, started_at: at, finished_at: at };
const waiver = {
  id: 'wvr_1',
  control: 'KEY-02',
  resource_id: null,
  owner: 'Ada',
  reason: 'Rotated by hand.',
  expires_at: at,
  created_at: at,
};
const review = {
  id: 'arv_1',
  started_at: at,
  started_by: 'Ada',
  completed_at: null,
  completed_by: null,
  entries: 1,
  undecided: 1,
  kept: 0,
  revoked: 0,
  gone: 0,
};
const reviewed = {
  id: 'ari_1',
  kind: 'api_key',
  name: 'CI',
  held_by: 'Ada',
  grants: ['agents:read'],
  detail: '',
  last_used_at: null,
  added_at: at,
  is_gone: false,
  cannot_revoke: null,
  decision: null,
  decided_by: null,
  decided_at: null,
};
const control = {
  control: 'KEY-02',
  title: 'API-key age and idleness',
  status: 'passed',
  is_stale: false,
  is_waived: false,
  checked_at: at,
  every_seconds: 86_400,
  clauses: [],
  looked_at: null,
  failed: 0,
};

const request = {
  id: 'dsr_1',
  kind: 'find',
  status: 'queued',
  reference: '',
  created_at: at,
  due_at: at,
  finished_at: null,
  places: [],
  certificate: null,
  error: null,
};

const found = {
  ...request,
  status: 'completed',
  finished_at: at,
  places: [{ place: 'records', found: 1, erased: 0, total: 9, examples: [] }],
};

/** Button presses that change the audit trail and personal data. */
export const governanceActions: Record<string, Action> = {
  'verify the audit trail': {
    path: '/governance',
    ready: (page) => Promise.resolve(page.getByRole('button', { name: 'Verify now' })),
    answer: verification,
  },
  'export the audit trail': {
    path: '/governance?open=export',
    ready: (page) => Promise.resolve(inDialog(page, 'Export')),
    answer: { logs: [] },
  },
  'scan a text': {
    path: '/governance?tab=data-governance',
    async ready(page) {
      await page.getByLabel('Text to scan').fill('nothing personal');
      return page.getByRole('button', { name: 'Scan text' });
    },
    answer: { findings: [], redacted: 'nothing personal' },
  },
  'ask for data of a person': {
    path: '/governance?tab=data-governance&open=request',
    async ready(page) {
      await page.getByLabel('Identifier 1').fill('ada@example.org');
      return inDialog(page, 'Find data');
    },
    answer: request,
  },
  'erase data of a person': {
    path: '/governance?tab=data-governance&open=request',
    async ready(page) {
      await page.getByRole('radio', { name: 'Erase' }).check();
      await page.getByLabel('Identifier 1').fill('ada@example.org');
      await inDialog(page, 'Erase data').click();
      await page.getByLabel('Your password').fill('demo password');
      await page.getByLabel('Type erase to confirm').fill('erase');
      return inDialog(page, 'Erase permanently');
    },
    first: json(request),
    answer: request,
  },
  'add a model provider': {
    path: '/governance?tab=data-governance',
    async ready(page) {
      await page.getByRole('button', { name: 'Add provider' }).click();
      await page.getByLabel('Provider', { exact: true }).fill('openai');
      await page.getByLabel('Agreement').selectOption('none');
      return inDialog(page, 'Add provider');
    },
    answer: { providers: [] },
  },
  'remove a model provider': {
    path: '/governance?tab=data-governance',
    async ready(page) {
      await page.getByRole('button', { name: 'Remove anthropic' }).click();
      return inDialog(page, 'Remove provider');
    },
    answer: { providers: [] },
  },
  'run a compliance check': {
    path: '/governance?tab=compliance&framework=gdpr',
    ready: (page) => Promise.resolve(page.getByRole('button', { name: 'Run Check Now' })),
    answer: run,
  },
  'create a waiver': {
    path: '/governance?tab=compliance&control=KEY-02',
    async ready(page) {
      await page.getByRole('button', { name: 'Create waiver' }).click();
      const form = page.getByRole('form', { name: 'New waiver' });
      await form.getByLabel('Reason').fill('Rotated by hand every month.');
      return form.getByRole('button', { name: 'Create waiver' });
    },
    answer: waiver,
  },
  'start an access review': {
    path: '/governance?tab=compliance',
    ready: (page) => Promise.resolve(page.getByRole('button', { name: 'Start Review' })),
    answer: review,
  },
  'keep access': {
    path: `/governance?tab=compliance&review=${review.id}`,
    ready: (page) => Promise.resolve(page.getByRole('button', { name: 'CI is still needed' })),
    answer: { review, items: [reviewed], refused: [] },
  },
  'revoke access': {
    path: `/governance?tab=compliance&review=${review.id}`,
    async ready(page) {
      await page.getByRole('button', { name: 'Revoke CI' }).click();
      return page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' });
    },
    answer: { review, items: [reviewed], refused: [] },
  },
  'complete an access review': {
    path: `/governance?tab=compliance&review=${review.id}`,
    ready: (page) => Promise.resolve(page.getByRole('button', { name: 'Complete Review' })),
    answer: review,
  },
  'create a policy': {
    path: '/governance?tab=policies&open=new',
    async ready(page) {
      await page.getByRole('dialog').getByLabel('Name').fill('Logs');
      await page.getByRole('dialog').getByLabel('Rules').fill('Delete logs after 30 days');
      return inDialog(page, 'Create');
    },
    answer: policy,
  },
  'try a policy': {
    path: `/governance?tab=policies&policy=${policy.id}`,
    ready: (page) => Promise.resolve(page.getByRole('button', { name: 'Preview refusals' })),
    answer: { days: 30, refused: 0, rules: [] },
  },
  'save data protection': {
    path: '/settings?tab=data-protection',
    async ready(page) {
      await page.getByLabel('Action for Email').selectOption('Allow');
      return page.getByRole('button', { name: 'Save changes' });
    },
    answer: settings,
  },
};

export const governanceLists = {
  'GET /governance/summary': json({
    total_actions: 1,
    agents: [],
    chain: { head_seq: 1, checkpoint_seq: 0, checkpoint_at: null, key_id: 'key', public_key: 'public', verified: null },
    retention: { retention_days: 90, last_run_at: null, last_deleted: null },
  }),
  'GET /governance/compliance': json({ frameworks: [], score: null, claims: [] }),
  'GET /governance/compliance/gdpr': json({
    framework: 'gdpr',
    name: 'GDPR',
    status: 'compliant',
    last_checked: at,
    checks_passed: 1,
    checks_failed: 0,
    checks_unverified: 0,
    checks_not_applicable: 0,
    coverage: 100,
    violations: [],
    violations_total: 0,
    details: [],
    controls: [control],
    run: null,
  }),
  'GET /governance/compliance-runs/cmr_1': json(run),
  'GET /governance/controls/KEY-02': json({ ...control, resources: [], resources_total: 0, version: '0', history: [], waivers: [] }),
  'GET /governance/access-reviews': json({ reviews: [], due_at: null }),
  'GET /governance/access-reviews/arv_1': json(review),
  'GET /governance/access-reviews/arv_1/items': json({ items: [reviewed], next_cursor: null }),
  'GET /governance/policies': json({ policies: [policy] }),
  'GET /governance/data-subject-requests': json({ requests: [] }),
  'GET /governance/data-subject-requests/dsr_1': json(found),
  'GET /governance/model-providers': json({ providers: [{ provider: 'anthropic', region: '', agreement: 'dpa', note: '' }], seen: [] }),
  'GET /governance/residency': json({ made_at: at, stores: [], receivers: [], models: [], models_total: 0 }),
  'GET /governance/audit-logs': json({ logs: [], next_cursor: null, match_count: 0 }),
  'GET /governance/pii-detection': json({ total_scans: 0, pii_detected: 0, auto_redacted: 0, types_detected: {} }),
  'GET /projects/prj_1/data-protection': json(settings),
};
