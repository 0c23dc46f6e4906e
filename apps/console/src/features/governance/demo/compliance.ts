import type { Client } from '@paddock/client';
import { controlIds, frameworkIds } from '@paddock/contract/compliance';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../demo/answering.ts';
import { freshId } from '../../../demo/ids.ts';
import { claims } from './compliance-samples.ts';
import { complianceState } from './compliance-state.ts';

const score = 98.5;

/** Compliance of the demo; waivers and runs last until reload. */
export function demoCompliance(now = Date.now()): Client<typeof contract>['compliance'] {
  const { waivers, runs, listResources, buildControlState, advanceRun, buildComplianceDetail } = complianceState(now);
  return {
    overview: (_input, options) =>
      answer(() => {
        const entries = frameworkIds.map((id) => {
          const { framework, name, status, last_checked, violations } = buildComplianceDetail(id);
          return { framework, name, status, last_checked, violations: violations.length };
        });
        return { frameworks: entries, score, claims };
      }, options),
    detail: ({ framework }, options) => answer(() => buildComplianceDetail(known(framework, frameworkIds)), options),
    check: ({ framework }, options) =>
      answer(() => {
        const going = buildComplianceDetail(known(framework, frameworkIds)).run;
        if (going) return going;
        const run = { id: freshId('cmr'), framework, begun: Date.now() };
        runs.push(run);
        return advanceRun(run);
      }, options),
    evidence: (_input, options) =>
      answer(() => {
        throw new ApiError('internal', { detail: 'The demo has no evidence for an auditor.' });
      }, options),
    run: ({ id }, options) =>
      answer(() => {
        const run = runs.find((each) => each.id === id);
        if (!run) throw new ApiError('compliance_run_not_found');
        return advanceRun(run);
      }, options),
    control: ({ control, framework }, options) =>
      answer(() => {
        const of = framework && known(framework, frameworkIds);
        const state = buildControlState(known(control, controlIds), of);
        const resources = listResources(control, of);
        const history = [0, 1, 2, 3].map((place) => ({
          checked_at: new Date(Date.parse(state.checked_at ?? '') - place * state.every_seconds * 1000).toISOString(),
          status: place < 2 ? state.status : ('passed' as const),
          failed: place < 2 ? state.failed : 0,
          duration_ms: 38 + place * 7,
        }));
        const ofControl = waivers.filter((each) => each.control === control);
        return { ...state, resources, resources_total: resources.length, version: '0.1.0', history, waivers: ofControl };
      }, options),
    createWaiver: ({ control, resource_id = null, owner, reason, expires_at }, options) =>
      answer(() => {
        const waiver = { id: freshId('wvr'), control, resource_id, owner, reason, expires_at, created_at: new Date().toISOString() };
        waivers.push(waiver);
        return waiver;
      }, options),
    waiver: ({ id }, options) =>
      answer(() => {
        const waiver = waivers.find((each) => each.id === id);
        if (!waiver) throw new ApiError('waiver_not_found');
        return waiver;
      }, options),
    deleteWaiver: ({ id }, options) =>
      answer(() => {
        const at = waivers.findIndex((each) => each.id === id);
        if (at < 0) throw new ApiError('waiver_not_found');
        waivers.splice(at, 1);
        return null;
      }, options),
  };
}

function known<Id extends string>(id: Id, ids: readonly Id[]): Id {
  if (!ids.includes(id)) throw new ApiError('input_invalid');
  return id;
}
