import type { SigningKey } from '@paddock/audit';
import { ApiError, type DataProtectionSettings, governance } from '@paddock/contract';
import { governanceLimits } from '@paddock/contract/limits';
import { recordAction } from '../../../audit/record-action.ts';
import { type Handlers, serve } from '../../../http/serve.ts';
import { teamPlaces } from '../../../http/team-places.ts';
import type { Scanner } from '../../../protection/scanner/start.ts';
import type { AuditStore } from './audit-log-store.ts';
import type { CheckpointStore } from './checkpoints/checkpoint-store.ts';
import type { startExporter } from './export/start.ts';
import { buildLineage, type LineageSpan } from './lineage.ts';
import type { PiiStore } from './pii-store.ts';
import type { ProtectionStore } from './protection-store.ts';
import { toAuditLog } from './to-audit-log.ts';
import type { VerificationStore } from './verify/verification-store.ts';
import type { createChainVerifier } from './verify/verify-chain.ts';

/** Time limit of one call's verification; the response contains where to continue. */
const verifyMs = 5_000;
const verifyPlaces = {
  perTeam: governanceLimits.verificationsPerTeam,
  atOnce: 16,
  detail: `At most ${governanceLimits.verificationsPerTeam} verifications of a team's trail run at a time, and 16 of all teams. Wait until one has ended.`,
  retry_after_s: verifyMs / 1_000,
};
/** Maximum number of a trace's records that its lineage uses. */
const maxOfTrace = 500;

export interface GovernanceParts {
  store: AuditStore;
  checkpoints: CheckpointStore;
  verifications: VerificationStore;
  pii: PiiStore;
  protection: ProtectionStore;
  scanner: Pick<Scanner, 'find'>;
  key: () => Promise<SigningKey>;
  verify: ReturnType<typeof createChainVerifier>;
  exportFile: ReturnType<typeof startExporter>;
  /** Model and tool calls of a trace, and the deployment that recorded it. */
  spansOf: (team_id: string, trace_id: string) => Promise<{ deployment_id: string; spans: LineageSpan[] } | undefined>;
  retention_days: number;
  /** Throws policy_refused for settings that allow values that a policy wants redacted. */
  mayProtect: (team_id: string, settings: Pick<DataProtectionSettings, 'rules'>) => Promise<void>;
}

export const governanceRoutes = (parts: GovernanceParts) => serve(governance, { ...trail(parts), ...personalData(parts) });

function trail({ store, checkpoints, verifications, key, verify, exportFile, retention_days }: GovernanceParts) {
  const places = teamPlaces(verifyPlaces);
  return {
    async summary(_, { actor }) {
      const { team_id } = actor;
      const [head, agents, checkpoint, verified, run, { key_id, public: bytes }] = await Promise.all([
        store.head(team_id),
        store.agents(team_id),
        checkpoints.last(team_id),
        verifications.last(team_id),
        verifications.retention(),
        key(),
      ]);
      return {
        total_actions: head.seq,
        agents,
        chain: {
          head_seq: head.seq,
          checkpoint_seq: head.checkpoint_seq,
          checkpoint_at: checkpoint?.created_at ?? null,
          key_id,
          public_key: bytes.toString('base64url'),
          verified: verified ?? null,
        },
        retention: { retention_days, last_run_at: run?.ran_at ?? null, last_deleted: run?.deleted ?? null },
      };
    },

    async auditLogs(input, { actor }) {
      const { rows, ...rest } = await store.list(actor.team_id, input);
      return { logs: rows.map(toAuditLog), ...rest };
    },

    async auditLog({ id }, { actor }) {
      const row = await store.get(actor.team_id, id);
      if (!row) throw new ApiError('audit_log_not_found');
      return toAuditLog(row);
    },

    exportAuditLogs: ({ format, ...filter }, { actor, signal }) => exportFile({ team_id: actor.team_id, format, filter }, signal),

    async verifyAuditLogs({ from_seq }, { actor, signal }) {
      const leave = places.enter(actor.team_id);
      const verified = await verify(actor.team_id, { from_seq, until: performance.now() + verifyMs, signal }).finally(leave);
      // For a verification in several calls, the last part contains the overall result.
      if (verified.next_seq === undefined) await verifications.keep(actor.team_id, verified);
      return { ...verified, valid: verified.first_bad === null, next_seq: verified.next_seq ?? null };
    },
  } satisfies Partial<Handlers<typeof governance>>;
}

function personalData({ store, pii, protection, scanner, spansOf, mayProtect }: GovernanceParts) {
  return {
    piiDetection: (input, { actor }) => pii.stats(actor.team_id, input),

    scan: ({ text }) => scanner.find({ text }),

    async lineage({ trace_id }, { actor }) {
      const [rows, recorded] = await Promise.all([store.ofTrace(actor.team_id, trace_id, maxOfTrace), spansOf(actor.team_id, trace_id)]);
      if (rows.length === 0 && !recorded) throw new ApiError('trace_not_found');
      return {
        trace_id,
        stages: buildLineage(rows.map(toAuditLog), recorded?.spans ?? []),
        deployment_id: recorded?.deployment_id ?? null,
      };
    },

    dataProtection: ({ id }, { actor }) => protection.get(actor.team_id, id),

    async setDataProtection({ id: project_id, ...settings }, { actor }) {
      await mayProtect(actor.team_id, settings);
      const noted = (tx: Parameters<typeof recordAction>[0]) => recordAction(tx, project_id);
      await protection.set(actor.team_id, { project_id, settings, noted });
      return protection.get(actor.team_id, project_id);
    },
  } satisfies Partial<Handlers<typeof governance>>;
}
