import type { Client } from '@paddock/client';
import type { ModelUsage, ModelUsageReport } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { addModelSums } from '@paddock/contract/model-sums';
import type { contract } from '@paddock/contract/routes';
import { dayMs } from '@paddock/contract/time';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { noCalls } from '../usage/sum-usage.ts';
import { allPrices, computeSpanCost } from './prices.ts';
import { sampleTraces } from './samples.ts';
import type { Step } from './shapes.ts';

type Input = NonNullable<Parameters<Client<typeof contract>['traces']['usage']>[0]>;
type Sums = ModelUsageReport['totals'];

const dayName = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Sums over the same sample traces that the lists show, and over older ones, which the demo lists no more. */
export function buildDemoUsage(world: DemoWorld, input: Input, now = Date.now()): ModelUsageReport {
  const { project_id } = input;
  if (project_id !== undefined && world.projects.every(({ id }) => id !== project_id)) throw new ApiError('project_not_found');
  const date_to = input.date_to ?? dayName(now);
  const date_from = input.date_from ?? dayName(Date.parse(date_to) - 29 * dayMs);
  const rows = [...sumByDay(world, { ...input, date_from, date_to }, now).values()];
  const { model_prices } = allPrices(world.modelPrices);
  const model_usage = rows
    .map((row) => ({ ...row, cost_usd: computeSpanCost(row, model_prices) }))
    .toSorted((a, b) => (`${a.day} ${a.project_id} ${a.model}` < `${b.day} ${b.project_id} ${b.model}` ? -1 : 1));
  const unpriced = model_usage.flatMap(({ cost_usd, model }) => (cost_usd === null && model !== null ? [model] : []));
  return {
    date_from,
    date_to,
    model_usage,
    totals: model_usage.reduce(addModelSums, noCalls),
    unpriced_models: [...new Set(unpriced)].toSorted(),
  };
}

/** Dollars that the models of a project, or of all, cost this month. */
export const demoModelCost = (world: DemoWorld, project_id: string | undefined, now = Date.now()): number =>
  buildDemoUsage(world, { date_from: `${dayName(now).slice(0, 7)}-01`, project_id }, now).totals.cost_usd ?? 0;

type Range = Input & { date_from: string; date_to: string };

function sumByDay(world: DemoWorld, { date_from, date_to, project_id, environment }: Range, now: number): Map<string, ModelUsage> {
  const days = new Map<string, ModelUsage>();
  const deployments = world.deployments
    .map(({ row }) => row)
    .filter((row) => (project_id ?? row.project_id) === row.project_id && (environment ?? row.environment) === row.environment);
  for (const row of deployments)
    for (const { at, root } of sampleTraces(row, now, Math.max(0, now - Date.parse(date_from)) + dayMs)) {
      const day = dayName(at);
      if (day < date_from || day > date_to) continue;
      for (const call of listCalls(root)) {
        const key = `${day} ${row.project_id} ${call.model}`;
        const known = days.get(key) ?? { day, project_id: row.project_id, project_name: row.project_name, model: call.model, ...noCalls };
        days.set(key, { ...known, ...addModelSums(known, call) });
      }
    }
  return days;
}

type Call = Sums & { model: string };
const callsOfRoots = new WeakMap<Step, Call[]>();

/** The counted calls of a sample trace; the same for all traces of one shape. */
function listCalls(root: Step): Call[] {
  const known = callsOfRoots.get(root);
  if (known) return known;
  const { model, tokens, inner = [] } = root;
  const own: Call[] =
    model && tokens
      ? [{ ...noCalls, model, calls: 1, input_tokens: tokens.input, cached_tokens: tokens.cached ?? 0, output_tokens: tokens.output }]
      : [];
  const calls = [...own, ...inner.flatMap(listCalls)];
  callsOfRoots.set(root, calls);
  return calls;
}
