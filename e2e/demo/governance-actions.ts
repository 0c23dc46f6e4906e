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

/** What is done with the audit trail and personal data by a press. */
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
  'GET /governance/audit-logs': json({ logs: [], next_cursor: null, match_count: 0 }),
  'GET /governance/pii-detection': json({ total_scans: 0, pii_detected: 0, auto_redacted: 0, types_detected: {} }),
  'GET /projects/prj_1/data-protection': json(settings),
};
