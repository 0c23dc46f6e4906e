import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControlStatus, FrameworkId } from '@paddock/contract';
import { assessControl } from './assess-control.ts';
import { complianceClaims } from './claims.ts';
import {
  computeCoverage,
  computeScore,
  controlsOf,
  counts,
  frameworkStatus,
  isStale,
  lastChecked,
  type Standing,
} from './framework-status.ts';

const at = '2026-11-01T00:00:00.000Z';
type Told = ControlStatus | 'stale' | 'stale failure' | 'never';
const standing = (told: Told): Standing => ({
  control: 'KEY-02',
  status:
    ({ stale: 'passed', 'stale failure': 'failed', never: 'unverified' } as Partial<Record<Told, ControlStatus>>)[told] ??
    (told as ControlStatus),
  is_stale: told.startsWith('stale'),
  checked_at: told === 'never' ? null : at,
});
const all = (told: Told[]) => told.map(standing);

test('the status, score and coverage of a framework follow from its controls', () => {
  const table: [Told[], string, number | null, number][] = [
    [['passed', 'passed'], 'compliant', 100, 100],
    [['passed', 'failed'], 'non_compliant', 50, 100],
    [['failed', 'never'], 'non_compliant', 0, 50],
    [['stale failure', 'passed'], 'non_compliant', 50, 50],
    [['passed', 'unverified'], 'in_review', 50, 50],
    [['passed', 'stale'], 'in_review', 50, 50],
    [['passed', 'never'], 'in_review', 50, 50],
    [['passed', 'not_applicable'], 'compliant', 100, 100],
    [['failed', 'not_applicable'], 'non_compliant', 0, 100],
    [['never', 'not_applicable'], 'in_review', null, 0],
    [['not_applicable', 'not_applicable'], 'in_review', null, 0],
    [['passed', 'passed', 'never'], 'in_review', 66.7, 66.7],
    [['never', 'never'], 'in_review', null, 0],
    [[], 'in_review', null, 0],
  ];
  for (const [told, status, score, coverage] of table) {
    const own = all(told);
    assert.deepEqual([frameworkStatus(own), computeScore(own), computeCoverage(own)], [status, score, coverage], told.join());
  }
});

test('what is not verified counts as neither passed nor failed, and the last check of a framework is the oldest', () => {
  assert.deepEqual(counts(all(['passed', 'failed', 'unverified', 'stale', 'never', 'not_applicable'])), {
    checks_passed: 1,
    checks_failed: 1,
    checks_unverified: 3,
    checks_not_applicable: 1,
  });
  const later = { ...standing('passed'), checked_at: '2026-11-02T00:00:00.000Z' };
  assert.equal(lastChecked([later, standing('passed')]), at);
  assert.equal(lastChecked([later, standing('never')]), null);
});

test('a run is stale once it is older than twice its interval', () => {
  const now = Date.parse(at);
  assert.equal(isStale('KEY-02', new Date(now - 47 * 3_600_000).toISOString(), now), false);
  assert.equal(isStale('KEY-02', new Date(now - 49 * 3_600_000).toISOString(), now), true);
});

test('every framework has controls, and only those that answer it', () => {
  const many: Record<FrameworkId, number> = { gdpr: 36, soc2: 36, hipaa: 35, iso27001: 36, ccpa: 36, 'pci-dss': 32 };
  for (const [framework, count] of Object.entries(many)) assert.equal(controlsOf(framework as FrameworkId).length, count, framework);
  assert.ok(!controlsOf('hipaa').includes('DSR-01'));
});

const result = (...statuses: ControlStatus[]) => ({
  control: 'KEY-02' as const,
  status: 'failed' as const,
  looked_at: 'Keys.',
  resources: statuses.map((status, n) => ({ type: 'api_key', id: `key_${n}`, name: null, status, finding: '', evidence: null, fix: null })),
  resources_total: statuses.length,
  failed_total: statuses.filter((status) => status === 'failed').length,
  failed_by: {},
  unverified_total: statuses.filter((status) => status === 'unverified').length,
  checked_at: at,
  duration_ms: 1,
  version: 'test',
});
const waiver = (resource_id: string | null, control: 'KEY-02' | 'KEY-03' = 'KEY-02') => ({
  id: `wvr_${resource_id}`,
  control,
  resource_id,
  owner: 'Ada',
  reason: 'It ends soon',
  expires_at: at,
  created_at: at,
});

test('a control is as bad as the worst of its resources that nobody accepted', () => {
  const table: [ControlStatus[], (string | null)[], ControlStatus, boolean][] = [
    [['passed', 'passed'], [], 'passed', false],
    [[], [], 'not_applicable', false],
    [['passed', 'unverified'], [], 'unverified', false],
    [['failed', 'unverified'], [], 'failed', false],
    [['failed', 'unverified'], ['key_0'], 'unverified', true],
    [['failed', 'failed'], ['key_0'], 'failed', false],
    [['failed', 'failed'], ['key_0', 'key_1'], 'passed', true],
    [['failed', 'unverified'], [null], 'passed', true],
  ];
  for (const [statuses, waived, status, is_waived] of table) {
    const waivers = [...waived.map((id) => waiver(id)), waiver(null, 'KEY-03')];
    const got = assessControl({ control: 'KEY-02', isImplemented: true, result: result(...statuses), waivers, now: Date.parse(at) });
    assert.deepEqual([got.status, got.is_waived], [status, is_waived], `${statuses.join()} without ${waived.join()}`);
  }
});

test('resources beyond those that are kept count, unless all are accepted', () => {
  const many = { ...result('failed'), failed_total: 700, resources_total: 900 };
  const given = { control: 'KEY-02' as const, isImplemented: true, result: many, now: Date.parse(at) };
  assert.equal(assessControl({ ...given, waivers: [waiver('key_0')] }).failed, 699);
  assert.equal(assessControl({ ...given, waivers: [waiver(null)] }).failed, 0);
});

test('the cards say only what was checked, and never that something is certified', () => {
  const claims = (status: ControlStatus, frameworks: Parameters<typeof complianceClaims>[0]['frameworks']) => {
    const ids = ['PII-03', 'PII-04', 'ENC-01', 'RET-01', 'IAM-01', 'IAM-02', 'AUD-01'] as const;
    const standings = new Map(ids.map((control) => [control, { control, status, is_stale: false, checked_at: at }]));
    return complianceClaims({ standings, frameworks, retention_days: 90 }).map(({ value }) => value);
  };
  assert.deepEqual(claims('passed', { soc2: 'compliant', iso27001: 'non_compliant' }), [
    ...['Active', 'On', 'Enabled', '90 days', 'Yes', 'Enabled', 'Full', 'Ready for an audit', 'Not ready', 'Not verified'],
  ]);
  assert.deepEqual(claims('not_applicable', { soc2: 'in_review', iso27001: 'in_review' }).slice(0, 2), [
    'Not applicable',
    'Not applicable',
  ]);
  const unknown = claims('unverified', { soc2: 'in_review', iso27001: 'in_review' });
  assert.deepEqual(new Set(unknown), new Set(['Not verified']));
  assert.deepEqual(
    new Set(
      complianceClaims({ standings: new Map(), frameworks: { soc2: 'in_review', iso27001: 'in_review' }, retention_days: 90 }).map(
        ({ value }) => value,
      ),
    ),
    new Set(['Not verified']),
  );
});
