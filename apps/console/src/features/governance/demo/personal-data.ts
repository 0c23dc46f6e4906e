import type { Client } from '@paddock/client';
import type { AuditLog, PiiStats } from '@paddock/contract';
import { type DataProtectionSettings, defaultDataProtection } from '@paddock/contract/data-protection';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { dayMs } from '@paddock/contract/time';
import { answer } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { allPrices } from '../../traces/demo/prices.ts';
import { sampleTraces } from '../../traces/demo/samples.ts';
import { buildTrace } from '../../traces/demo/spans.ts';
import { findPii } from './find-pii.ts';
import { buildLineage } from './lineage.ts';
import { retentionDays } from './trail.ts';

type Calls = Client<typeof contract>['governance'];

const types: PiiStats['types_detected'] = {
  Email: 98,
  Phone: 54,
  Name: 41,
  Address: 17,
  'Credit Card': 12,
  'IP Address': 7,
  SSN: 3,
  'Date of Birth': 2,
};
const totalScans = 15_420;

/** Personal data in the demo: its findings, its lineage, and settings that last until reload. */
export function demoPersonalData(world: DemoWorld, records: readonly AuditLog[], now: number) {
  const changed = new Map<string, DataProtectionSettings>();
  const keeper = world.projects.find(({ name }) => name === 'web-scout');
  // The traces of this project show prompts and answers.
  if (keeper) changed.set(keeper.id, { ...defaultDataProtection, keep_span_content: true });
  const check = (id: string) => {
    if (!world.projects.some((project) => project.id === id)) throw new ApiError('project_not_found');
  };
  return {
    piiDetection: ({ date_from, date_to } = {}, options) => answer(() => scaleStats({ date_from, date_to, now }), options),
    scan: ({ text }, options) => answer(() => findPii(text), options),
    lineage: ({ trace_id }, options) =>
      answer(() => {
        const drawn = world.deployments.flatMap(({ row }) => sampleTraces(row, Date.now())).find((each) => each.trace_id === trace_id);
        if (!drawn) throw new ApiError('trace_not_found');
        return buildLineage(
          buildTrace(drawn, allPrices(world.modelPrices).model_prices),
          records.find((record) => record.trace_id === trace_id),
        );
      }, options),
    dataProtection: ({ id }, options) =>
      answer(() => {
        check(id);
        return { ...(changed.get(id) ?? defaultDataProtection), is_default: !changed.has(id) };
      }, options),
    setDataProtection: ({ id, ...settings }, options) =>
      answer(() => {
        check(id);
        changed.set(id, settings);
        return { ...settings, is_default: false };
      }, options),
  } satisfies Partial<Calls>;
}

/** The sample figures of the whole time, scaled to the given part of it. */
function scaleStats({ date_from, date_to, now }: { date_from: string | undefined; date_to: string | undefined; now: number }): PiiStats {
  const first = now - retentionDays * dayMs;
  const from = Math.max(first, date_from === undefined ? first : Date.parse(date_from));
  const to = Math.min(now, date_to === undefined ? now : Date.parse(date_to));
  const share = Math.max(0, to - from) / (now - first);
  const types_detected = Object.fromEntries(Object.entries(types).map(([type, count]) => [type, Math.round(count * share)]));
  const pii_detected = Object.values(types_detected).reduce((sum, count) => sum + count, 0);
  return { total_scans: Math.round(totalScans * share), pii_detected, auto_redacted: pii_detected, types_detected };
}
