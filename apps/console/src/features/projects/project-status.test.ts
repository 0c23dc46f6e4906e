import type { Deployment } from '@paddock/contract';
import { expect, test } from 'vitest';
import { environmentStatuses, noAddressText, problemOf, projectStatus } from './project-status.ts';

const deployment = (id: string, given: Partial<Deployment>): Deployment => ({
  id: `dep_${id}`,
  project_id: 'prj_1',
  project_name: 'one',
  status: 'active',
  environment: 'production',
  database_mode: 'none',
  url: null,
  deployment_url: null,
  error_message: null,
  failed_stage: null,
  agent_type: 'web',
  trigger: 'upload',
  message: null,
  commit_sha: null,
  commit_branch: null,
  commit_dirty: null,
  source_name: 'one.zip',
  source_deployment_id: null,
  is_current: false,
  restarts: 0,
  restart_at: null,
  variables_at: null,
  created_at: `2026-11-2${id}T10:00:00.000Z`,
  building_at: null,
  deploying_at: null,
  deployed_at: null,
  ended_at: null,
  ...given,
});
const serving = deployment('1', { is_current: true });
const preview = deployment('2', { is_current: true, environment: 'preview' });
const failed = deployment('3', { status: 'failed', error_message: 'Build failed' });
const building = deployment('4', { status: 'building' });
const stopped = deployment('0', { status: 'stopped' });

test('a project without deployments has no status', () => {
  expect(projectStatus([])).toEqual({ shown: undefined, newer: undefined });
  expect(environmentStatuses([])).toEqual([{ environment: 'production', shown: undefined, newer: undefined }]);
});

test('what serves production is shown before what serves preview, whichever is newer', () => {
  expect(projectStatus([preview, stopped, serving]).shown).toBe(serving);
  expect(projectStatus([stopped, preview]).shown).toBe(preview);
});

test('a failed or unfinished deployment after the one that serves is told beside it', () => {
  expect(projectStatus([serving, failed])).toEqual({ shown: serving, newer: failed });
  expect(projectStatus([building, failed, serving])).toEqual({ shown: serving, newer: building });
  expect(projectStatus([serving, deployment('5', { status: 'stopped' })]).newer).toBeUndefined();
});

test('where nothing serves, the newest is shown', () => {
  expect(projectStatus([stopped, failed])).toEqual({ shown: failed, newer: undefined });
});

test('a problem is the message of a failure that nothing newer has made up for', () => {
  expect(problemOf(projectStatus([serving, failed]))).toBe(failed);
  expect(problemOf(projectStatus([failed, building]))).toBeUndefined();
  expect(problemOf(projectStatus([failed, deployment('4', { is_current: true })]))).toBeUndefined();
  const job = deployment('5', { status: 'completed', error_message: 'Its output tells of errors' });
  expect(problemOf(projectStatus([job]))).toBe(job);
});

test('each environment has a status of its own', () => {
  const statuses = environmentStatuses([serving, preview, failed]);
  expect(statuses).toEqual([
    { environment: 'production', shown: serving, newer: failed },
    { environment: 'preview', shown: preview, newer: undefined },
  ]);
});

test('an agent without an address says why, and where nothing serves there is no reason to give', () => {
  expect(noAddressText(serving)).toBe('No address: this agent does not accept requests');
  expect(noAddressText(deployment('1', { status: 'completed' }))).toBe('No address: this agent runs once and exits');
  expect(noAddressText(failed)).toBeUndefined();
});
