import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ControlFacts, type ControlId, controls, type FrameworkId } from '@paddock/contract';
import { checkNow } from '../../../../test/compliance.ts';
import { startApi } from '../../../../test/server.ts';
import { type ClauseLimit, clauseLimits } from './clause-limits.ts';

test('a finding counts for the framework whose clause it breaks, with the limit of that clause', async (t) => {
  const { person } = await startApi(t);
  const { api } = await person();
  await checkNow(api, 'gdpr');
  const detailOf = async (framework: FrameworkId) => {
    const { details, violations, violations_total } = await api.compliance.detail({ framework });
    assert.equal(violations_total, details.length, framework);
    const { frameworks } = await api.compliance.overview();
    assert.equal(frameworks.find((one) => one.framework === framework)?.violations, violations_total, framework);
    return { ids: details.map(({ control, resource }) => `${control} ${resource.id}`), text: violations.join('\n') };
  };
  const gdpr = await detailOf('gdpr');
  const hipaa = await detailOf('hipaa');
  const pci = await detailOf('pci-dss');

  // By default an installation accepts passwords of 8 letters, locks for 15 minutes and keeps details for 90 days.
  for (const id of ['IAM-03 password-rule', 'IAM-04 lockout-duration']) {
    assert.ok(pci.ids.includes(id), `PCI DSS: ${id}`);
    for (const other of [gdpr, hipaa]) assert.ok(!other.ids.includes(id), `not PCI DSS: ${id}`);
  }
  assert.match(pci.text, /after 90 days; PCI DSS 10\.5\.1 asks for 365/);
  assert.match(hipaa.text, /after 90 days; HIPAA § 164\.316\(b\)\(2\)\(i\) asks for 2,190/);
  assert.ok(!gdpr.ids.includes('AUD-03 audit-retention'), 'GDPR asks for no long retention');
  assert.doesNotMatch(gdpr.text + hipaa.text, /PCI DSS/);
  assert.doesNotMatch(pci.text, /HIPAA|GDPR/);
});

test('each limit counts for clauses that its control answers, and a number of PCI DSS for PCI DSS alone', () => {
  for (const [control, ofControl] of Object.entries(clauseLimits)) {
    const { clauses: answered }: ControlFacts = controls[control as ControlId];
    for (const { clauses, cited } of Object.values(ofControl).flat() as ClauseLimit[]) {
      assert.ok(clauses.length > 0, control);
      for (const { framework, clause } of clauses) assert.ok(answered[framework]?.includes(clause), `${control} ${framework} ${clause}`);
      if (cited?.startsWith('PCI DSS')) assert.deepEqual([...new Set(clauses.map(({ framework }) => framework))], ['pci-dss'], control);
    }
  }
});
