import type { Database } from '@paddock/contract';
import { expect, test } from 'vitest';
import { databaseLook, may, storageState } from './states.ts';

const database = (change: Partial<Database>): Database => ({
  id: 'db_1',
  type: 'postgresql',
  project_id: 'prj_1',
  project_name: 'support-router',
  environment: 'production',
  mode: 'managed',
  name: 'main',
  is_attached: true,
  status: 'available',
  status_message: null,
  host: '127.0.0.1',
  port: 5432,
  version: '18.1',
  size_bytes: 0,
  storage_limit_bytes: 1000,
  is_read_only: false,
  last_backup_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
  ...change,
});

test("'available' is a success and everything else a warning, also what nobody knows yet", () => {
  expect(databaseLook('available').tone).toBe('success');
  for (const status of ['provisioning', 'stopped', 'failed', 'restoring', 'deleting', 'unreachable', 'hibernating'])
    expect(databaseLook(status).tone).toBe('warning');
  expect(databaseLook('hibernating').word).toBe('hibernating');
});

test('storage warns from 80 % on; read-only is what the server says, not what is reckoned here', () => {
  const at = (size_bytes: number | null, rest: Partial<Database> = {}) => storageState(database({ size_bytes, ...rest }));
  expect([at(null), at(799), at(800), at(1000)]).toEqual(['fine', 'fine', 'warning', 'warning']);
  expect(at(960, { is_read_only: true })).toBe('read-only');
  expect(at(960, { storage_limit_bytes: null })).toBe('fine');
});

test('what is done with a database fits its state and to whom it belongs', () => {
  const can = (change: Partial<Database>) =>
    (Object.keys(may) as (keyof typeof may)[]).filter((action) => may[action](database(change))).sort();
  expect(can({})).toEqual(['backup', 'delete', 'export', 'rotate', 'stop']);
  expect(can({ status: 'stopped', type: 'redis' })).toEqual(['delete', 'start']);
  expect(can({ status: 'deleting' })).toEqual([]);
  expect(can({ mode: 'byo', status: 'unreachable' })).toEqual(['delete', 'readdress']);
});
