import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { atEnd } from '../../../../test/postgres.ts';
import { startApi } from '../../../../test/server.ts';
import { teamOf } from '../../../../test/team-of.ts';
import { createLog } from '../../../log.ts';
import { budgetAlertStore } from './budget-alert-store.ts';
import { type BudgetSource, modelBudgets, usageBudgets } from './budget-sources.ts';
import { budgetAlertJob } from './budgets.ts';

let world: Awaited<ReturnType<typeof startApi>>;
before(async () => {
  world = await startApi({ after: atEnd });
});

const august = new Date('2026-08-20T12:00:00Z');
const september = new Date('2026-09-01T00:01:00Z');
const watchOf = (source: BudgetSource) =>
  budgetAlertJob({
    source,
    warnings: budgetAlertStore(world.sql, source.kind),
    alerts: world.features.alerts.exports,
    log: createLog('silent', process.stderr),
  });
const watch = (at: Date) => watchOf(usageBudgets(world.sql))(at);

async function someone() {
  const { api, email } = await world.person();
  const project = await api.projects.create({ name: 'spender' });
  const team_id = await teamOf(world.sql, { email });
  /** Hours of compute at 10 cents, by default in August 2026. */
  const ran = (hours: number, day = '2026-08-10') => world.sql`
    insert into metered_days (team_id, project_id, day, kind, amount)
    values (${team_id}, ${project.id}, ${day}, 'compute_s', ${hours * 3600})
    on conflict (team_id, project_id, day, kind) do update set amount = excluded.amount`;
  const open = async () => {
    const { alerts } = await api.alerts.list({ resolved: 'false' });
    return alerts.map(({ severity, message, project_name }) => ({ severity, project_name, says: message.split('.')[0] })).reverse();
  };
  const all = async () => (await api.alerts.list({})).alerts.length;
  return { api, team_id, project_id: project.id, ran, open, all };
}

test('50, 80 and 100 % of a budget are told once a month each, the highest stays open, and the new month begins anew', async () => {
  const ada = await someone();
  await ada.api.usage.setBudget({ amount: 10 });
  await ada.ran(49);
  await watch(august);
  assert.deepEqual(await ada.open(), []);
  await ada.ran(50);
  for (let n = 0; n < 3; n++) await watch(august);
  assert.deepEqual(
    (await ada.open()).map(({ severity }) => severity),
    ['warning'],
  );
  await ada.ran(81);
  await Promise.all([watch(august), watch(august)]);
  assert.equal((await ada.open()).length, 1, 'the one of 50 % is closed');
  await ada.ran(100);
  await watch(august);
  await watch(august);
  const [spent] = await ada.open();
  assert.equal(spent?.severity, 'critical');
  const { alerts } = await ada.api.alerts.list({ resolved: 'false' });
  assert.match(alerts[0]?.message ?? '', /costs \$10\.00 this month \(UTC\); its budget is \$10\.00\. Nothing is stopped\./);
  assert.equal(await ada.all(), 3);
  await ada.api.alerts.resolve({ id: alerts[0]!.id });
  await watch(august);
  assert.deepEqual(await ada.open(), [], 'whoever resolved it knows of it');

  await watch(september);
  assert.deepEqual(await ada.open(), []);
  await ada.ran(200, '2026-09-01');
  await watch(september);
  assert.equal((await ada.open()).length, 1);
  assert.equal(await ada.all(), 4, 'beyond 100 % at once is told once');
});

test('a project has a budget of its own, a change begins anew, and removing it closes its alert', async () => {
  const ada = await someone();
  const { project_id } = ada;
  await ada.api.usage.setBudget({ amount: 100 });
  const { budgets } = await ada.api.usage.setBudget({ project_id, amount: 2.5 });
  assert.deepEqual(
    budgets.map((one) => [one.project_id, one.project_name, one.amount]),
    [
      [null, null, 100],
      [project_id, 'spender', 2.5],
    ],
  );
  await ada.ran(25);
  await watch(august);
  assert.deepEqual(
    (await ada.open()).map(({ severity, project_name }) => [severity, project_name]),
    [['critical', 'spender']],
  );
  await ada.api.usage.setBudget({ project_id, amount: 4 });
  await watch(august);
  assert.deepEqual(
    (await ada.open()).map(({ severity }) => severity),
    ['warning'],
    '62 % of the new one',
  );
  const left = await ada.api.usage.setBudget({ project_id, amount: null });
  assert.equal(left.budgets.length, 1);
  await watch(august);
  assert.deepEqual(await ada.open(), []);

  const eve = await someone();
  await assert.rejects(eve.api.usage.setBudget({ project_id, amount: 1 }), { code: 'project_not_found' });
  for (const amount of [0, -1, 1.234, 2_000_000])
    await assert.rejects(eve.api.usage.setBudget({ amount }), { code: 'input_invalid' }, `${amount}`);
  assert.deepEqual((await eve.api.usage.budgets({})).budgets, []);
});

test('a team has at most 100 budgets', async () => {
  const ada = await someone();
  await world.sql`insert into budgets (team_id, project_id, amount_cents) select ${ada.team_id}, 'prj_' || n, 100 from generate_series(1, 100) n`;
  await assert.rejects(ada.api.usage.setBudget({ amount: 1 }), { code: 'budgets_too_many' });
});

test('a budget of model cost is a budget of its own, which prices as they are now count against', async () => {
  const ada = await someone();
  const { api, team_id, project_id } = ada;
  await api.usage.setBudget({ amount: 100 });
  const { budgets } = await api.usage.setBudget({ kind: 'models', amount: 2 });
  assert.deepEqual(
    budgets.map(({ kind, amount }) => [kind, amount]),
    [
      ['usage', 100],
      ['models', 2],
    ],
  );
  await api.usage.setBudget({ kind: 'models', project_id, amount: 50 });
  /** A million tokens of each model in August 2026. */
  await world.sql`
    insert into model_usage_days (team_id, project_id, environment, day, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens)
    select ${team_id}, ${project_id}, 'production', ${'2026-08-31'}, model, 1, 1000000, 0, 0, 0
    from unnest(${['own-a', 'own-b']}::text[]) as model`;
  const costs = world.features.traces.exports.costsOfMonth;
  const watchModels = watchOf(modelBudgets(world.sql, costs));
  await watchModels(august);
  assert.deepEqual(await ada.open(), [], 'no price is known');
  const price = { input_usd: 0.5, cached_input_usd: null, cache_write_usd: null, output_usd: 1 };
  await api.traces.setPrices({ model_prices: [{ model: 'own-a', ...price }] });
  assert.deepEqual(await costs(team_id, '2026-08-01'), new Map([[project_id, 0.5]]));
  assert.deepEqual(await costs(team_id, '2026-09-01'), new Map());
  await watchModels(august);
  assert.deepEqual(await ada.open(), [], '25 %');
  await api.traces.setPrices({ model_prices: ['own-a', 'own-b'].map((model) => ({ model, ...price, input_usd: 1 })) });
  for (let n = 0; n < 2; n++) await watchModels(august);
  await watch(august);
  const { alerts } = await api.alerts.list({ resolved: 'false' });
  assert.equal(alerts.length, 1, 'the budget of usage is not touched');
  assert.match(
    alerts[0]?.message ?? '',
    /^Model calls of the team cost \$2\.00 this month \(UTC\), paid to their providers; its budget is \$2\.00\. Nothing is stopped\./,
  );
  await api.usage.setBudget({ kind: 'models', amount: null });
  await watchModels(august);
  assert.deepEqual(await ada.open(), []);
  assert.deepEqual(
    (await api.usage.budgets({})).budgets.map(({ kind, project_name }) => [kind, project_name]),
    [
      ['usage', null],
      ['models', 'spender'],
    ],
  );
  const eve = await someone();
  await assert.rejects(eve.api.usage.setBudget({ kind: 'models', project_id, amount: 1 }), { code: 'project_not_found' });
  assert.deepEqual((await eve.api.usage.budgets({})).budgets, []);
});
