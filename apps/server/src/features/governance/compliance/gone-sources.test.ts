import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlIds } from '@paddock/contract';
import { startApi } from '../../../../test/server.ts';
import { connect } from '../../../db/connect.ts';
import { createLog } from '../../../log.ts';
import type { Control } from './control.ts';
import { createControlRunner } from './control-runner.ts';
import { detectorControl } from './controls/pii-03-detector.ts';
import { implementedControls } from './controls.ts';
import type { Result } from './result-store.ts';

const gone = async () => Promise.reject(new Error('the source is gone'));
const noTexts = () => {
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
};

/** Every control, with a missing database and without its other sources. */
function controlsOfNothing({ sql, seal, dataDir }: Pick<Awaited<ReturnType<typeof startApi>>, 'sql' | 'seal' | 'dataDir'>): Control[] {
  const controls = implementedControls({
    sql,
    seal,
    log: createLog('silent'),
    now: Date.now,
    dataDir,
    blobDir: dataDir,
    databaseUrl: undefined,
    logRetentionDays: 30,
    auditRetentionDays: 400,
    auditWebhookUrl: 'https://localhost:1',
    osvDatabase: '/nowhere',
    egressAllow: [],
    publicUrl: 'https://localhost:1',
    agentUrl: () => 'https://localhost:1',
    host: '127.0.0.1',
    passwordRefusal: gone,
    proveLockout: gone,
    idleLimit: gone,
    accessReviews: { list: gone, returned: gone },
    trail: { verify: gone, keptLines: gone },
    keptAtMostBy: gone,
    failedLoginRule: gone,
    liveProvenance: gone,
    blobs: { exists: gone, digest: gone, storeExists: gone },
    modelProviders: gone,
    seenProviders: gone,
    sandbox: undefined,
    hostRules: gone,
  });
  // The source of PII-03 is not a table but the labelled texts that come with the product.
  return [...controls.filter(({ id }) => id !== 'PII-03'), detectorControl({ texts: noTexts })];
}

test('each control whose source is gone reads as not verified, and tells nothing of the cause but where to find it', async (t) => {
  const server = await startApi(t);
  const { api } = await server.person();
  const sql = connect(server.databaseUrl, { max: 1 });
  await sql.end();
  const kept: Result[] = [];
  const results = { keep: async (_: string | null, result: Result) => void kept.push(result) } as never;
  const runControl = createControlRunner({ results, version: 'test', maxControlMs: 20_000, log: createLog('silent') });
  const controls = controlsOfNothing({ ...server, sql });
  for (const control of controls) await runControl(control, { team_id: 'team_1', run: 'cmr_1', signal: new AbortController().signal });
  assert.deepEqual(
    kept.filter(({ status }) => status !== 'unverified').map(({ control, status }) => [control, status]),
    [],
  );
  const broken = kept.flatMap(({ resources }) => resources).filter(({ finding }) => finding.startsWith('The check broke'));
  assert.deepEqual([...new Set(broken.map(({ finding }) => finding))], ['The check broke. The log of the server tells why, under cmr_1.']);
  // The table is complete: controls that are not in it have no implementation.
  const missing = controlIds.filter((id) => !kept.some(({ control }) => control === id));
  for (const control of missing) assert.equal((await api.compliance.control({ control })).looked_at, 'Nothing checks this yet.', control);
});
