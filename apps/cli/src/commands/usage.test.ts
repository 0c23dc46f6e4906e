import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageOfMonth } from '@paddock/contract';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const used = { compute_hours: 12.345, bandwidth_gb: 1.25, database_storage_gb: 0.5, cost: 1.4 };
const month = (name: string, more: Partial<UsageOfMonth> = {}): UsageOfMonth => ({
  month: name,
  ...used,
  core_hours: 6.2,
  compute_cost: 1.23,
  bandwidth_cost: 0.06,
  database_storage_cost: 0.11,
  base_plan_cost: null,
  projected: null,
  corrections: [],
  closed_at: null,
  by_project: null,
  by_day: null,
  ...more,
});

test('usage tells the month by project, what it comes to, and the months before', async (t) => {
  const asked: unknown[] = [];
  const project = { project_id: 'prj_1', project_name: 'chat', is_deleted: true, ...used };
  const usage = [
    month('2026-11', {
      base_plan_cost: 99,
      projected: { ...used, cost: 4.5 },
      by_project: [project],
      corrections: [{ of_month: '2026-10', ...used, cost: 0.2 }],
    }),
    month('2026-10', { closed_at: '2026-11-01T06:00:00.000Z' }),
  ];
  const { url } = await scriptedApi(t, {
    'GET /billing/usage': (input) => {
      asked.push(input);
      return { usage: input.month ? [month('2026-10')] : usage, metered_at: null, next_cursor: null };
    },
  });
  const { code, out } = await run(url, ['usage']);
  assert.equal(code, 0);
  assert.match(out, /^Month +2026-11 \(UTC\), open\nCompute +12\.3 hours \(6\.2 core hours\) +\$1\.23\n/);
  assert.match(
    out,
    /Base plan +\$99\.00\nTotal +\$100\.40\nProjected +\$103\.50 at the end of the month\nCorrection +\$0\.20 of it belong to 2026-10\n/,
  );
  assert.match(out, /chat \(deleted\) +12\.3 +1\.3 +0\.5 +\$1\.40/);
  assert.match(out, /2026-10 +12\.3 +1\.3 +0\.5 +\$1\.40/);
  const one = await run(url, ['usage', '--month', '2026-10']);
  assert.match(one.out, /No usage this month\./);
  assert.deepEqual(asked, [{}, { month: '2026-10' }]);
  const json = await run(url, ['usage'], { json: true });
  assert.deepEqual((JSON.parse(json.out) as { usage: unknown }).usage, usage);
});

test('usage --models tells what models cost in a month by project and model, and which have no price', async (t) => {
  const asked: unknown[] = [];
  const row = (day: string, more: object) => ({
    ...{ day: `2026-02-${day}`, project_id: 'prj_1', project_name: 'chat', model: 'gpt-4o', calls: 2, input_tokens: 1_500 },
    ...{ cached_tokens: 500, cache_write_tokens: 0, output_tokens: 100, cost_usd: 1.25, ...more },
  });
  const own = { model: 'own-7b\u001b[2J', cost_usd: null };
  const report = {
    ...{ date_from: '2026-02-01', date_to: '2026-02-28' },
    model_usage: [
      row('01', {}),
      row('02', own),
      row('03', {}),
      row('03', { project_id: null, project_name: null, model: null, cost_usd: 0.5 }),
    ],
    totals: { calls: 8, input_tokens: 6_000, cached_tokens: 2_000, cache_write_tokens: 0, output_tokens: 400, cost_usd: 3 },
    unpriced_models: [own.model],
  };
  const { url } = await scriptedApi(t, {
    'GET /metrics/model-usage': (input) => {
      asked.push(input);
      return report;
    },
  });
  const { code, out } = await run(url, ['usage', '--models', '--month', '2026-02']);
  assert.equal(code, 0);
  assert.match(
    out,
    /^Days +2026-02-01 to 2026-02-28 \(UTC\)\nModel cost +\$3\.00, paid to model providers, not billed by Paddock\nNo price +own-7b/,
  );
  assert.match(
    out,
    /\nchat +gpt-4o +4 +3K +1K +200 +\$2\.50\nall others +all others +2 +1\.5K +500 +100 +\$0\.50\nchat +own-7b\S* +2 .* no price$/m,
  );
  assert.ok(!out.includes('\u001b[2J'));
  assert.deepEqual(asked, [{ date_from: '2026-02-01', date_to: '2026-02-28' }]);
  const json = await run(url, ['usage', '--models', '--month', '2026-02'], { json: true });
  assert.deepEqual(JSON.parse(json.out), report);
  const wrong = await run(url, ['usage', '--models', '--month', 'november']);
  assert.deepEqual([wrong.code, asked.length], [2, 2]);
});
