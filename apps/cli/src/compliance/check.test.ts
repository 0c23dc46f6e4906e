import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ComplianceDetail } from '@paddock/contract';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const started = {
  id: 'cmr_one',
  framework: 'gdpr',
  controls_total: 2,
  controls_done: 0,
  started_at: '2026-01-31T12:00:00.000Z',
  finished_at: null,
};
const failing = {
  control: 'KEY-02',
  resource: {
    type: 'api_key',
    id: 'key_one',
    name: 'CI',
    status: 'failed',
    finding: 'The API key CI never expires.',
    evidence: null,
    fix: { text: 'Rotate it.', path: '/settings' },
    waiver_id: null,
  },
} as unknown as ComplianceDetail['details'][number];

/** A server whose check ends with this detail on the second poll. */
async function serverWith(t: TestContext, detail: Partial<ComplianceDetail>, ends = 'completed') {
  let asked = 0;
  const whole = {
    framework: 'gdpr',
    name: 'GDPR',
    status: 'compliant',
    last_checked: null,
    checks_passed: 2,
    checks_failed: 0,
    checks_unverified: 0,
    checks_not_applicable: 1,
    coverage: 100,
    violations: [],
    details: [],
    controls: [],
    run: null,
    ...detail,
  };
  return scriptedApi(t, {
    'POST /governance/compliance/gdpr/check': () => ({ ...started, status: 'queued' }),
    'GET /governance/compliance-runs/cmr_one': () => ({ ...started, status: ++asked < 2 ? 'running' : ends }),
    'GET /governance/compliance/gdpr': () => whole,
  });
}

test('a compliant framework exits with 0, after its check came to its end', async (t) => {
  const { url, asked } = await serverWith(t, {});
  const { code, out } = await run(url, ['compliance', 'check', 'gdpr']);
  assert.deepEqual([code, out], [0, 'GDPR: compliant. 2 passed, 0 failed, 0 not verified, 1 not applicable.\n']);
  assert.equal(asked.filter((call) => call === 'GET /governance/compliance-runs/cmr_one').length, 2);
});

test('what fails is told with what to do, and exits with 1, whatever may be unverified', async (t) => {
  const { url } = await serverWith(t, { status: 'non_compliant', checks_failed: 1, details: [failing] });
  const { code, out } = await run(url, ['compliance', 'check', 'gdpr', '--allow-unverified']);
  assert.equal(code, 1);
  assert.match(out, /^Failed +KEY-02 {2}The API key CI never expires\.\n +Rotate it\.\nGDPR: non compliant\./);
});

test('what could not be verified exits with 2, and with 0 where that is allowed', async (t) => {
  const { url } = await serverWith(t, { status: 'in_review', checks_unverified: 1 });
  assert.equal((await run(url, ['compliance', 'check', 'gdpr'])).code, 2);
  assert.equal((await run(url, ['compliance', 'check', 'gdpr', '--allow-unverified'])).code, 0);
});

test('a check that broke off is no verdict', async (t) => {
  const { url } = await serverWith(t, {}, 'failed');
  const { code, notes } = await run(url, ['compliance', 'check', 'gdpr']);
  assert.equal(code, 64);
  assert.match(notes, /The check broke off\./);
});
