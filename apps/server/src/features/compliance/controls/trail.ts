import { below, clauseLimits } from '../clause-limits.ts';
import type { Clause, Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { count, dayMs, hourMs, toFinding } from '../finding.ts';
import { trailStore } from './trail-store.ts';

const verifyMs = 10_000;
/** Verification pauses for two thirds of that time, because agents, visitors and the database share the processors. */
const rest = 2;
/** A long trail is verified in parts by a job; its result is valid for this many hours. */
const verifiedHours = 3;
const wanted = { deliveredHours: 24 };
const { keptDays } = clauseLimits['AUD-03'];
/** Clauses that ask for a copy of the trail elsewhere; the others ask how long it is kept. */
const copied: Clause[] = [
  { framework: 'pci-dss', clause: '10.3.3' },
  { framework: 'iso27001', clause: '5.33' },
];

type AuditChainDeps = Pick<ControlDeps, 'sql'> & { trail: Pick<ControlDeps['trail'], 'verify'> };

/** AUD-02: the records and their chain are as they were signed. */
export const auditChainControl = ({ sql, trail }: AuditChainDeps): Control => ({
  id: 'AUD-02',
  of: 'team',
  async check(team_id, signal) {
    const verified = await trail.verify(team_id, { from_seq: 1, until: performance.now() + verifyMs, signal, rest });
    const { checked, head_seq, first_bad, next_seq } = verified;
    const looked_at = `${count(checked, 'record')} of ${head_seq}, against their hashes and the signed checkpoints.`;
    const subject = { type: 'team', id: team_id, name: 'Audit trail' };
    if (first_bad || next_seq === undefined)
      return {
        looked_at,
        resources: [
          toFinding(
            {
              ...subject,
              evidence: { checked, head_seq, first_bad },
              fix: { text: 'Export the trail, keep the database as it is, and find out who changed it', path: '/governance' },
            },
            {
              problems: first_bad ? [`Record ${first_bad.seq} does not verify: ${first_bad.reason}.`] : [],
              fine: 'The whole chain verifies.',
            },
          ),
        ],
      };
    const last = await trailStore(sql).lastVerification(team_id);
    const isRecent = last !== undefined && Date.now() - Date.parse(last.verified_at) < verifiedHours * hourMs;
    const evidence = { checked, head_seq, last_whole_verification: last ?? null };
    if (isRecent)
      return {
        looked_at: `${looked_at} The rest by the last verification of the whole, up to record ${last.up_to_seq}.`,
        resources: [
          toFinding(
            { ...subject, evidence, fix: { text: 'Export the trail, and find out who changed it', path: '/governance' } },
            { problems: last.valid ? [] : ['The last verification of the whole found a bad record.'], fine: 'The chain verifies.' },
          ),
        ],
      };
    return {
      looked_at,
      resources: [
        {
          ...subject,
          status: 'unverified',
          finding: `The trail is too long to verify at once, and its last whole verification is older than ${verifiedHours} hours.`,
          evidence,
          fix: { text: 'Verify the trail on its page', path: '/governance' },
        },
      ],
    };
  },
});

type Deps = Pick<ControlDeps, 'sql' | 'trail' | 'auditRetentionDays' | 'auditWebhookUrl'>;

/** AUD-03: the records and their details are retained, and checkpoints are copied elsewhere. */
export const auditRetentionControl = ({ sql, trail, auditRetentionDays: retention_days, auditWebhookUrl }: Deps): Control => ({
  id: 'AUD-03',
  of: 'team',
  async check(team_id) {
    const [kept, lines] = await Promise.all([trailStore(sql).kept(team_id), trail.keptLines(team_id)]);
    const has_webhook = auditWebhookUrl !== undefined;
    const { first_seq, head_seq, checkpoints, oldest_undelivered_at, undelivered } = kept;
    const waitsMs = oldest_undelivered_at === null ? 0 : Date.now() - Date.parse(oldest_undelivered_at);
    return {
      looked_at: `The records from the first to number ${head_seq}, how long their details are kept, and where ${count(checkpoints, 'checkpoint')} went.`,
      resources: [
        toFinding(
          { type: 'team', id: `${team_id}:records`, name: 'Records', evidence: { first_seq, head_seq } },
          {
            problems:
              head_seq > 0 && first_seq !== 1 ? [`The trail begins with record ${first_seq ?? 'none'}, and not with the first.`] : [],
            fine: 'All records since the first are there.',
          },
        ),
        toFinding(
          {
            type: 'installation',
            id: 'audit-retention',
            name: 'Retention of details',
            evidence: { retention_days },
            fix: {
              text: `Set PADDOCK_AUDIT_RETENTION_DAYS to ${keptDays.map(({ limit, cited }) => `${limit} or more for ${cited}`).join(', ')}`,
              path: null,
            },
          },
          {
            problems: below(
              keptDays,
              retention_days,
              ({ limit, by }) =>
                `Details of records, such as addresses, are removed after ${retention_days} days; ${by} asks for ${limit}.`,
            ),
            fine: `Details of records are kept for ${retention_days} days.`,
          },
        ),
        toFinding(
          {
            type: 'team',
            id: `${team_id}:copies`,
            name: 'Copies of checkpoints',
            evidence: { has_webhook, ...kept, in_files_of_this_server: lines.length },
            fix: { text: 'Set PADDOCK_AUDIT_WEBHOOK_URL to an address outside this installation, and see that it answers', path: null },
          },
          {
            problems: [
              ...(has_webhook ? [] : ['No copy of the checkpoints leaves this installation.']),
              ...(has_webhook && waitsMs > wanted.deliveredHours * hourMs
                ? [`${count(undelivered, 'checkpoint')} could not be sent away, the oldest for ${Math.floor(waitsMs / dayMs)} days.`]
                : []),
            ].map((finding) => ({ finding, clauses: copied })),
            fine: 'Checkpoints are sent to an address outside.',
          },
        ),
      ],
    };
  },
});
