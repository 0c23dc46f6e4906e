import { policyRetention, type TeamsKeptAtMost } from '../../jobs/policy-retention.ts';
import type { Offered, Parts } from '../../parts.ts';
import { startScanner } from '../../protection/scanner/start.ts';
import { checkpointStore } from './checkpoints/checkpoint-store.ts';
import { checkpointFolder, readLines } from './checkpoints/file.ts';
import { rememberedKey } from './checkpoints/signing-key.ts';
import { postCheckpoints } from './checkpoints/webhook.ts';
import { chainExport, matching } from './export/chain-export.ts';
import { exporting } from './export/export.ts';
import { piiStore } from './pii-store.ts';
import { removeOldPayloads } from './policy-retention-store.ts';
import { protectionStore } from './protection-store.ts';
import { retention } from './retention-store.ts';
import { type GovernanceParts, governanceRoutes } from './routes.ts';
import { auditStore } from './store.ts';
import { verificationStore } from './verify/verification-store.ts';
import { verifying } from './verify/verify.ts';
import { verifyTrails } from './verify/verify-trails.ts';

const hour = 3_600;

/** The audit trail as people read, export and verify it; what is found of personal data, and what projects want done with it. */
export function governanceFeature(
  { sql, seal, config, log }: Parts,
  { spansOf, mayProtect, keptAtMost }: Pick<GovernanceParts, 'spansOf' | 'mayProtect'> & { keptAtMost: TeamsKeptAtMost },
): Offered<undefined> {
  const { dataDir, auditRetentionDays, auditWebhookUrl } = config;
  const store = auditStore(sql);
  const checkpoints = checkpointStore(sql);
  const verifications = verificationStore(sql);
  const key = rememberedKey(sql, seal);
  const verify = verifying({ store, checkpoints, key, kept: (team_id) => readLines(checkpointFolder(dataDir), team_id) });
  const exportFile = exporting({
    matching: (team_id, filter) => matching(store, team_id, filter),
    chain: async (team_id, filter) => chainExport({ store, checkpoints, key: await key() })(team_id, filter),
  });
  return {
    routes: [
      governanceRoutes({
        store,
        checkpoints,
        verifications,
        pii: piiStore(sql),
        protection: protectionStore(sql),
        scanner: startScanner(),
        key,
        verify,
        exportFile,
        spansOf,
        retention_days: auditRetentionDays,
        mayProtect,
      }),
    ],
    jobs: [
      { name: 'audit.retention', everySeconds: hour, run: retention(sql, auditRetentionDays) },
      { name: 'audit.retain-by-policy', everySeconds: hour, run: policyRetention({ sql, log, keptAtMost, remove: removeOldPayloads }) },
      { name: 'audit.verify', everySeconds: hour, run: verifyTrails({ verifications, verify, log }) },
      ...(auditWebhookUrl
        ? [{ name: 'audit.post-checkpoints', everySeconds: 30, run: postCheckpoints(auditWebhookUrl, checkpoints) }]
        : []),
    ],
    gives: undefined,
  };
}
