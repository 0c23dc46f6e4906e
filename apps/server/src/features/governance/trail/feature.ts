import type { System } from '@paddock/contract';
import type { Core, Feature } from '../../../core.ts';
import { policyRetention, type TeamsKeptAtMost } from '../../../jobs/policy-retention.ts';
import { startScanner } from '../../../protection/scanner/start.ts';
import type { SubjectPlace } from '../../../subjects/subject-store.ts';
import { type AuditStore, auditStore } from './audit-log-store.ts';
import { checkpointFolder, readCheckpointLines } from './checkpoints/checkpoint-files.ts';
import { checkpointStore } from './checkpoints/checkpoint-store.ts';
import { cachedSigningKey, signingSeed } from './checkpoints/signing-key.ts';
import { postCheckpoints } from './checkpoints/webhook.ts';
import { startExporter } from './export/start.ts';
import { piiStore } from './pii-store.ts';
import { removeOldPayloads } from './policy-retention-store.ts';
import { protectionStore } from './protection-store.ts';
import { removalStore } from './removals/removal-store.ts';
import { payloadRetentionJob } from './retention-store.ts';
import { type GovernanceParts, governanceRoutes } from './routes.ts';
import { type AlertsOfShortages, recordingProblem, shortageAlerts } from './shortages/shortage-alerts.ts';
import { type ShortageStore, shortageStore } from './shortages/shortage-store.ts';
import { auditFacts, auditPayloads } from './subject-store.ts';
import { verificationStore } from './verify/verification-store.ts';
import { createChainVerifier } from './verify/verify-chain.ts';
import { verifyTrails } from './verify/verify-trails.ts';

const hour = 3_600;

interface Exports extends Pick<GovernanceParts, 'key'> {
  headOf: AuditStore['head'];
  recordedProjects: AuditStore['recordedProjects'];
  /** Places where records contain personal data. */
  places: SubjectPlace[];
  verify: ReturnType<typeof createChainVerifier>;
  /** The checkpoints of a team in this server's files. */
  keptLines: (team_id: string) => Promise<string[]>;
  /** Why requests are recorded without bodies, or not at all, and what to do; null when they are recorded as configured. */
  recordingProblem: () => Promise<System['recording_problem']>;
  shortages: ShortageStore['counts'];
}

/** The audit trail for reading, export and verification; findings of personal data, and the projects' settings for it. */
export function trailFeature(
  { sql, seal, config, databaseUrl, reserve, log }: Core,
  {
    spansOf,
    mayProtect,
    keptAtMost,
    alerts,
  }: Pick<GovernanceParts, 'spansOf' | 'mayProtect'> & {
    keptAtMost: TeamsKeptAtMost;
    alerts: AlertsOfShortages;
  },
): Feature<Exports> {
  const { dataDir, auditRetentionDays, auditWebhookUrl } = config;
  const store = auditStore(sql);
  const checkpoints = checkpointStore(sql);
  const verifications = verificationStore(sql);
  const key = cachedSigningKey(sql, seal);
  const removals = removalStore(sql, key);
  const shortages = shortageStore(sql);
  const keptLines = (team_id: string) => readCheckpointLines(checkpointFolder(dataDir), team_id);
  const verify = createChainVerifier({ store, checkpoints, removals, key, kept: keptLines });
  const exportFile = startExporter(async () => ({ databaseUrl, seed: await signingSeed(sql, seal) }));
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
      { name: 'audit.retention', everySeconds: hour, run: payloadRetentionJob(sql, key, auditRetentionDays) },
      {
        name: 'audit.retain-by-policy',
        everySeconds: hour,
        run: policyRetention({ sql, log, keptAtMost, remove: removeOldPayloads(key) }),
      },
      { name: 'audit.watch-shortages', everySeconds: 5, run: shortageAlerts({ store: shortages, alerts, reserve, log }) },
      { name: 'audit.verify', everySeconds: hour, run: verifyTrails({ verifications, verify, log }) },
      ...(auditWebhookUrl
        ? [{ name: 'audit.post-checkpoints', everySeconds: 30, run: postCheckpoints(auditWebhookUrl, checkpoints) }]
        : []),
    ],
    exports: {
      key,
      headOf: store.head,
      recordedProjects: store.recordedProjects,
      places: [auditPayloads(sql, key), auditFacts(sql)],
      verify,
      keptLines,
      recordingProblem: () => recordingProblem(shortages),
      shortages: shortages.counts,
    },
  };
}
