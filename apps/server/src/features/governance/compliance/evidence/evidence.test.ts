import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import { checkNow } from '../../../../../test/compliance.ts';
import { startApi } from '../../../../../test/server.ts';
import type { Control } from '../control.ts';

const hostile = '<img src=x onerror="alert(1)"> & \'Ada\'';
const controls: Control[] = [
  {
    id: 'KEY-02',
    of: 'team',
    check: async () => ({
      looked_at: `Two keys, one of ${hostile}.`,
      resources: [
        {
          type: 'api_key',
          id: 'key_1',
          name: hostile,
          status: 'failed',
          finding: hostile,
          evidence: { note: hostile },
          fix: { text: hostile, path: null },
        },
        { type: 'api_key', id: 'key_2', name: 'ci', status: 'passed', finding: 'Fine.', evidence: { created_at: '2026' }, fix: null },
      ],
    }),
  },
];

test('an auditor gets a ZIP with what was found, as JSON and as a report in which every claim leads to its evidence', async (t) => {
  const { person, origin } = await startApi(t, { controls });
  const { api, token } = await person();
  const { token: other } = await person();
  await checkNow(api);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await api.compliance.createWaiver({ control: 'KEY-03', owner: hostile, reason: `${hostile} says so`, expires_at });
  const fetched = async (whose: string) => {
    const answer = await fetch(`${origin}/api/v1/governance/compliance/soc2/evidence`, {
      method: 'POST',
      headers: { authorization: `Bearer ${whose}`, 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/zip');
    assert.match(answer.headers.get('content-disposition') ?? '', /attachment; filename="compliance-soc2-\d{4}-\d\d-\d\d\.zip"/);
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    assert.deepEqual(Object.keys(files).toSorted(), ['evidence.json', 'report.html', 'residency.json']);
    const text = (name: string) => new TextDecoder().decode(files[name]);
    return { evidence: JSON.parse(text('evidence.json')), report: text('report.html') };
  };
  const { evidence, report } = await fetched(token);
  assert.equal(evidence.status, 'non_compliant');
  const control = evidence.controls.find((one: { control: string }) => one.control === 'KEY-02');
  assert.deepEqual(control.resources[0].evidence, { note: hostile });
  assert.equal(evidence.controls.length, 36);

  assert.ok(!report.includes('<img'), 'what strangers wrote is text');
  assert.ok(!/<script|src=|https?:\/\//.test(report.replaceAll('src=x', '')), 'the page needs nothing from elsewhere');
  assert.match(report, /shows readiness.*certification needs an auditor/s);
  assert.match(report, /@media print/);
  assert.match(report, /<dt>Team<\/dt><dd>[^<]+ <small>team_/);
  const links = [...report.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target);
  assert.ok(links.length > 70);
  for (const target of links) assert.ok(report.includes(`id="${target.slice(1)}"`), target);
  const rows = report.match(/<tbody>.*<\/tbody>/s)?.[0] ?? '';
  assert.equal(rows.match(/<tr>/g)?.length, 36);
  assert.equal(rows.match(/>Passed</g), null);
  assert.equal(rows.match(/>Failed</g)?.length, 1);
  assert.match(report, /says so \(/);

  const { evidence: others } = await fetched(other);
  assert.ok(!JSON.stringify(others).includes('key_1'), 'another team sees nothing of it');
});
