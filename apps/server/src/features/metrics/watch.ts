import type { MoveStore } from './move-store.ts';
import { buildTimeline, uptime } from './uptime.ts';
import type { WatchStore } from './watch-store.ts';

const quarterMs = 15 * 60_000;

/** Every agent that serves a production environment, with the inputs of the rules. */
export const createAgentHealth = (store: WatchStore, moves: Pick<MoveStore, 'ofDeployments'>) => async () => {
  const rows = await store.watched();
  const now = rows[0] ? Date.parse(rows[0].asked_at) : 0;
  const span = { from: now - quarterMs, to: now };
  const moved = await moves.ofDeployments(
    rows.flatMap(({ deployment_ids }) => deployment_ids),
    new Date(span.from),
  );
  // All of them are in production.
  const byProject = Map.groupBy(moved, ({ project_id }) => project_id);
  return rows.map(({ team_id, project_id, deployment_id, ...row }) => {
    const { up_ms, wanted_ms } = uptime(buildTimeline(byProject.get(project_id) ?? [], now), span);
    const minutesSince = (at: string | null) => (at === null ? 0 : Math.max(0, now - Date.parse(at)) / 60_000);
    return {
      team_id,
      project_id,
      deployment_id,
      name: row.name,
      requests: row.requests,
      failed: row.failed,
      p95_ms: row.p95_us === null ? null : row.p95_us / 1000,
      quarter: {
        requests: row.quarter_requests,
        failed: row.quarter_failed,
        avg_latency_ms: row.quarter_requests > 0 ? row.quarter_latency_us / 1000 : null,
        uptime_percentage: wanted_ms > 0 ? (up_ms / wanted_ms) * 100 : null,
      },
      down_minutes: minutesSince(row.down_since),
      out_of_memory: row.out_of_memory,
      quiet_minutes: row.down_since === null ? minutesSince(row.quiet_since) : 0,
    };
  });
};
export type AgentHealth = ReturnType<typeof createAgentHealth>;
