import { expect, test } from 'vitest';
import { deploymentsSearch } from './search.ts';
import { railNote, stageTimes } from './stages.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds)).toISOString();
const now = Date.parse(at(100));
const base = {
  status: 'building',
  failed_stage: null,
  agent_type: null,
  created_at: at(0),
  building_at: at(2),
  deploying_at: null,
  deployed_at: null,
  ended_at: null,
} as const;
const seconds = (deployment: Parameters<typeof stageTimes>[0]) =>
  stageTimes(deployment, now).map(({ ms }) => (ms === null ? null : ms / 1000));

test('the stage under way counts up to now and those ahead have no time', () => {
  expect(seconds(base)).toEqual([2, 98, null, null]);
  expect(railNote(base, now)).toBe('1:40');
});

test('a failed one stops counting where it failed', () => {
  const failed = { ...base, status: 'failed', failed_stage: 'building', ended_at: at(30) } as const;
  expect(seconds(failed)).toEqual([2, 28, null, null]);
  expect(railNote(failed, now)).toBe('at build');
});

test('an active one shows how long each stage took and how long it has been up', () => {
  expect(seconds({ ...base, status: 'active', deploying_at: at(40), deployed_at: at(45) })).toEqual([2, 38, 5, 55]);
});

test('one cancelled in the queue has spent its time there', () => {
  expect(seconds({ ...base, status: 'stopped', building_at: null, ended_at: at(9) })).toEqual([9, null, null, null]);
});

test('what is malformed in the address is dropped and what is right is kept', () => {
  expect(deploymentsSearch({ project: 'prj_1', status: 'failed', environment: 'preview', action: 'deploy', logs: 'dep_1' })).toEqual({
    project: 'prj_1',
    status: 'failed',
    environment: 'preview',
    action: 'deploy',
    logs: 'dep_1',
  });
  expect(deploymentsSearch({ project: 7, status: 'toString', environment: 'x', action: 'drop', logs: '', more: 1 })).toEqual({});
});
