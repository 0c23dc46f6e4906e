import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controls } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';
import { createLog } from '../../../log.ts';
import { platformControls } from './platform.ts';

test('each control over the platform is in the table of controls once, with the scope that stands there', () => {
  const made = platformControls({
    sql: undefined as unknown as Sql,
    liveProvenance: async () => [],
    blobs: { exists: async () => true, digest: async () => '', storeExists: async () => true },
    osvDatabase: undefined,
    modelProviders: async () => [],
    seenProviders: async () => [],
    sandbox: undefined,
    hostRules: async () => [],
    egressAllow: [],
    publicUrl: 'http://localhost:4000',
    agentUrl: (label) => `http://${label}.localhost:4001`,
    host: '127.0.0.1',
    now: Date.now,
    log: createLog('silent'),
  });
  assert.deepEqual(made.map(({ id }) => id).sort(), ['CHG-01', 'INC-01', 'LIN-01', 'NET-01', 'NET-02', 'NET-03', 'TPM-01', 'VUL-01']);
  for (const { id, of } of made) assert.equal(controls[id].scope, of, id);
});
