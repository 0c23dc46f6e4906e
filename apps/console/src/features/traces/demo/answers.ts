import type { Client } from '@paddock/client';
import type { Trace, TraceDetail, TraceLosses } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, paginate } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { allPrices } from './prices.ts';
import { sampleTraces } from './samples.ts';
import { buildTrace } from './spans.ts';
import { buildDemoUsage } from './usage.ts';

type Calls = Client<typeof contract>['traces'];
type Filter = Omit<Parameters<Calls['list']>[0], 'id' | 'limit' | 'cursor'>;

const nothingLost: TraceLosses = { spans: 0, requests: 0, content: 0, unused: 0 };
const losses: Readonly<Record<string, Partial<TraceLosses>>> = {
  'support-router production': { content: 1904, unused: 96 },
  'support-router preview': { spans: 12_400, requests: 3, content: 212 },
};

/** Traces of the demo: no agent was ever traced, but list, filters, costs and prices are consistent. */
export function demoTraces(world: DemoWorld): Calls {
  const findDeployment = (id: string) => {
    const found = world.deployments.find(({ row }) => row.id === id);
    if (!found) throw new ApiError('deployment_not_found');
    return found.row;
  };
  const buildTraces = (id: string) => {
    const { model_prices } = allPrices(world.modelPrices);
    return sampleTraces(findDeployment(id), Date.now()).map((drawn) => buildTrace(drawn, model_prices));
  };
  return {
    list: ({ id, limit, cursor, ...filter }, options) =>
      answer(() => {
        const { project_name, environment } = findDeployment(id);
        const all = buildTraces(id);
        const found = all.filter((trace) => passes(trace, filter)).map((trace) => ({ id: trace.trace_id, trace }));
        const { rows, next_cursor } = paginate(found, { limit, cursor });
        const traces = rows.map(({ trace }) => withoutSpans(trace));
        const models = [...new Set(all.flatMap((trace) => trace.models))].toSorted();
        return { traces, next_cursor, models, lost: { ...nothingLost, ...losses[`${project_name} ${environment}`] } };
      }, options),
    get: ({ id, trace_id }, options) =>
      answer(() => {
        const found = buildTraces(id).find((trace) => trace.trace_id === trace_id);
        if (!found) throw new ApiError('trace_not_found');
        return found;
      }, options),
    usage: (input, options) => answer(() => buildDemoUsage(world, input ?? {}), options),
    prices: (_input, options) => answer(() => allPrices(world.modelPrices), options),
    setPrices: ({ model_prices }, options) =>
      answer(() => {
        world.modelPrices.splice(0, world.modelPrices.length, ...model_prices);
        world.changed();
        return allPrices(world.modelPrices);
      }, options),
  };
}

function withoutSpans(detail: TraceDetail): Trace {
  const { spans: _, ...trace } = detail;
  return trace;
}

function passes(trace: Trace, { date_from, min_duration_ms = 0, status, model, search = '' }: Filter): boolean {
  const wanted = search.trim().toLowerCase();
  return (
    (date_from === undefined || trace.started_at >= date_from) &&
    trace.duration_ms >= min_duration_ms &&
    (status === undefined || trace.status === status) &&
    (model === undefined || trace.models.includes(model)) &&
    (trace.name.toLowerCase().includes(wanted) || trace.trace_id.startsWith(wanted))
  );
}
