import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameworkId } from '@paddock/contract';
import { checkNow } from '../../../../test/compliance.ts';
import { startApi } from '../../../../test/server.ts';
import { found, settable } from '../../../../test/settable-controls.ts';

const nothing = async () => ({ looked_at: '0 keys.', absence: 'There is no key.', resources: [] });

test('a finding is shown by the clauses of the framework that is asked for, and a waiver covers it for all', async (t) => {
  const { says, controls } = settable();
  const { person } = await startApi(t, { controls });
  const { api } = await person();
  const problems = [
    { finding: 'PCI DSS 8.6.3 allows 90 days.', clauses: [{ framework: 'pci-dss', clause: '8.6.3' } as const] },
    { finding: 'HIPAA allows a year.', clauses: [{ framework: 'hipaa', clause: '308(a)(5)(ii)(D)' } as const] },
  ];
  says['KEY-02'] = async () => [{ ...found('old', 'failed'), finding: 'Both.', problems }];
  await checkNow(api, 'gdpr');
  const seen = async (framework?: FrameworkId) => {
    const { status, failed, clauses, resources } = await api.compliance.control({ control: 'KEY-02', ...(framework && { framework }) });
    const [{ finding, clauses: broken, fix } = assert.fail('no resource')] = resources;
    return { status, failed, clauses, finding, broken, has_fix: fix !== null };
  };
  assert.deepEqual(await seen('pci-dss'), {
    status: 'failed',
    failed: 1,
    clauses: ['8.6.3', '8.2.6'],
    finding: 'PCI DSS 8.6.3 allows 90 days.',
    broken: ['PCI DSS 8.6.3'],
    has_fix: true,
  });
  assert.deepEqual(await seen('gdpr'), {
    status: 'passed',
    failed: 0,
    clauses: ['Art. 32(1)(b)'],
    finding: 'Within what GDPR asks for.',
    broken: [],
    has_fix: false,
  });
  const all = await seen();
  assert.equal(all.finding, 'PCI DSS 8.6.3 allows 90 days. HIPAA allows a year.');
  assert.deepEqual(all.broken, ['HIPAA § 164.308(a)(5)(ii)(D)', 'PCI DSS 8.6.3']);
  assert.ok(all.clauses.includes('ISO 27001 A.5.17') && all.clauses.includes('CCPA § 1798.100(e)') && all.clauses.includes('SOC 2 CC6.1'));

  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await api.compliance.createWaiver({ control: 'KEY-02', resource_id: 'old', owner: 'Ada', reason: 'It ends in March', expires_at });
  for (const framework of ['pci-dss', 'hipaa'] as const) {
    const { violations_total, controls: states } = await api.compliance.detail({ framework });
    assert.equal(violations_total, 0, framework);
    assert.equal(states.find(({ control }) => control === 'KEY-02')?.is_waived, true, framework);
  }
});

test('a control with nothing to look at is not applicable, with the reason, and counts neither way', async (t) => {
  const { controls } = settable();
  const { person } = await startApi(t, {
    controls: controls.map((one) => (one.id === 'KEY-01' ? { ...one, check: nothing } : one)),
  });
  const { api } = await person();
  await checkNow(api, 'pci-dss');
  const { status, looked_at, failed } = await api.compliance.control({ control: 'KEY-01' });
  assert.deepEqual([status, looked_at, failed], ['not_applicable', 'There is no key.', 0]);
  const detail = await api.compliance.detail({ framework: 'pci-dss' });
  assert.deepEqual([detail.checks_passed, detail.checks_failed, detail.checks_not_applicable], [1, 0, 1]);
  assert.equal(detail.checks_unverified, detail.controls.length - 2, 'those that nothing implements');
});

test('a finding that was fixed is checked again at once, and what passed waits for its turn', async (t) => {
  const { says, ran, controls } = settable();
  const { person } = await startApi(t, { controls });
  const { api } = await person();
  says['KEY-02'] = async () => [found('old', 'failed')];
  await checkNow(api, 'gdpr');
  const { api_key } = await api.apiKeys.create({ name: 'CI', scopes: ['projects:read'] });
  assert.ok(api_key);
  ran.length = 0;
  says['KEY-02'] = async () => [found('old', 'passed')];
  await api.projects.create({ name: 'shop' });
  let { status } = await api.compliance.control({ control: 'KEY-02' });
  for (let tries = 0; status !== 'passed' && tries < 300; tries++) {
    await sleep(50);
    status = (await api.compliance.control({ control: 'KEY-02' })).status;
  }
  assert.equal(status, 'passed');
  assert.ok(!ran.includes('KEY-01'), 'it had passed');
});
