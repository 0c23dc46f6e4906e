// Controls with very many findings: storage and display are bounded, and the response says how much is not shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNow } from '../../../../test/compliance.ts';
import { startApi } from '../../../../test/server.ts';
import type { Control } from './control.ts';
import { evidencePackage } from './evidence/package.ts';

const failing = 700;
const controls: Control[] = [
  {
    id: 'KEY-02',
    of: 'team',
    check: async () => ({
      looked_at: `${failing} keys.`,
      resources: Array.from({ length: failing }, (_, n) => ({
        type: 'api_key',
        id: `key_${n}`,
        name: null,
        status: 'failed' as const,
        finding: `Key ${n} ${'never ends '.repeat(n === 0 ? 1_000 : 1)}`,
        evidence: { seen: 'x'.repeat(10_000) },
        fix: null,
      })),
    }),
  },
];

test('a framework with very many violations shows the first, counts all, and keeps a bounded amount of evidence', async (t) => {
  const { person } = await startApi(t, { controls });
  const { api } = await person();
  await checkNow(api);
  const detail = await api.compliance.detail({ framework: 'soc2' });
  assert.partialDeepStrictEqual(detail, { violations_total: failing, status: 'non_compliant' });
  assert.deepEqual([detail.violations.length, detail.details.length], [500, 500]);
  const evidence = detail.details.map(({ resource }) => JSON.stringify(resource.evidence));
  assert.equal(evidence[0], JSON.stringify({ seen: 'x'.repeat(10_000) }), 'the first is whole');
  assert.match(evidence.at(-1)!, /letters of evidence are too many to keep/);
  assert.ok(evidence.reduce((sum, { length }) => sum + length, 0) < 256 * 1024 + 500 * 100);
  assert.ok(detail.details.every(({ resource }) => resource.finding.length <= 2_001));
  const { frameworks } = await api.compliance.overview({});
  assert.equal(frameworks.find(({ framework }) => framework === 'soc2')?.violations, failing);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  await api.compliance.createWaiver({ control: 'KEY-02', resource_id: 'key_3', owner: 'Ada', reason: 'Known and wanted', expires_at });
  const after = await api.compliance.overview({});
  assert.equal(after.frameworks.find(({ framework }) => framework === 'soc2')?.violations, failing - 1, 'the overview knows of waivers');
});

test('a team has one evidence package made at a time, and does not keep another team from its own', async () => {
  const waiting = Promise.withResolvers<never>();
  const begun: string[] = [];
  const make = evidencePackage({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    controls,
    version: '1',
    retention_days: 1,
    residency: (team_id) => {
      begun.push(team_id);
      return waiting.promise;
    },
    accessReviews: async () => [],
  });
  const first = make('team_a', 'soc2');
  await assert.rejects(make('team_a', 'hipaa'), { code: 'too_many_requests', retry_after_s: 5 });
  const other = make('team_b', 'soc2');
  assert.deepEqual(begun, ['team_a', 'team_b']);
  waiting.reject(new Error('no residency'));
  await Promise.all([first, other].map((one) => assert.rejects(one, /no residency/)));
  await assert.rejects(make('team_a', 'soc2'), /no residency/, 'what failed leaves its place');
});
