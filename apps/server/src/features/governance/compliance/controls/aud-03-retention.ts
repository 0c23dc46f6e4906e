import { plural } from '@paddock/contract/plural';
import { dayMs, hourMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import { below, clauseLimits } from '../clause-limits.ts';
import type { Clause, Control } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { toFinding } from '../finding.ts';

const maxDeliveryHours = 24;
const { keptDays } = clauseLimits['AUD-03'];
/** Clauses that ask for a copy of the trail elsewhere; the others ask how long it is kept. */
const copied: Clause[] = [
  { framework: 'pci-dss', clause: '10.3.3' },
  { framework: 'iso27001', clause: '5.33' },
];

type Deps = Pick<ControlDeps, 'sql' | 'trail' | 'auditRetentionDays' | 'auditWebhookUrl'>;

/** AUD-03: the records and their details are retained, and checkpoints are copied elsewhere. */
export const auditRetentionControl = ({ sql, trail, auditRetentionDays: retention_days, auditWebhookUrl }: Deps): Control => ({
  id: 'AUD-03',
  of: 'team',
  async check(team_id) {
    const [kept, lines] = await Promise.all([loadKept(sql, team_id), trail.keptLines(team_id)]);
    const has_webhook = auditWebhookUrl !== undefined;
    const { first_seq, head_seq, checkpoints, oldest_undelivered_at, undelivered } = kept;
    const waitsMs = oldest_undelivered_at === null ? 0 : Date.now() - Date.parse(oldest_undelivered_at);
    return {
      looked_at: `The records from the first to number ${head_seq}, how long their details are kept, and where ${plural(checkpoints, 'checkpoint')} went.`,
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
            fix: { text: 'Set PADDOCK_AUDIT_WEBHOOK_URL to an address outside this installation, and see that it answers' },
          },
          {
            problems: [
              ...(has_webhook ? [] : ['No copy of the checkpoints leaves this installation.']),
              ...(has_webhook && waitsMs > maxDeliveryHours * hourMs
                ? [`${plural(undelivered, 'checkpoint')} could not be sent away, the oldest for ${Math.floor(waitsMs / dayMs)} days.`]
                : []),
            ].map((finding) => ({ finding, clauses: copied })),
            fine: 'Checkpoints are sent to an address outside.',
          },
        ),
      ],
    };
  },
});

interface Kept {
  first_seq: number | null;
  head_seq: number;
  checkpoints: number;
  last_checkpoint_at: string | null;
  undelivered: number;
  oldest_undelivered_at: string | null;
}

/** The first stored record, the head, and the signed and delivered checkpoints. */
async function loadKept(sql: Sql, team_id: string): Promise<Kept> {
  const [row] = await sql<[Kept]>`
    select
      (
        select min(seq)
        from audit_records
        where team_id = ${team_id}
      ) as first_seq,
      coalesce((
        select seq
        from audit_heads
        where team_id = ${team_id}
      ), 0) as head_seq,
      count(*)::int as checkpoints, max(created_at) as last_checkpoint_at,
      count(*) filter (where delivered_at is null)::int as undelivered,
      min(created_at) filter (where delivered_at is null) as oldest_undelivered_at
    from audit_checkpoints
    where team_id = ${team_id}`;
  return row;
}
